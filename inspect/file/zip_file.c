/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes archives in the format of ZIP (APPNOTE 6.3, without its extensions for more than 4 GB).
 */
#include "file/file.h"

#include "base/base.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    LOCAL_HEADER = 0x04034b50,
    CENTRAL_HEADER = 0x02014b50,
    END_OF_ARCHIVE = 0x06054b50,
    VERSION_NEEDED = 20,
    MADE_BY_UNIX = 3 << 8 | VERSION_NEEDED,
    DEFLATED = 8,
    FIRST_YEAR = 1980,
};
/* -rw-------, in the upper half of the attributes. */
static const uint32_t file_attributes = 0100600U << 16;

struct zip_entry {
    char *name;
    uint32_t moment, sum, packed_bytes, bytes, offset;
};

static void write_number(struct zip_file *zip, uint32_t number, int bytes)
{
    for (int i = 0; i < bytes; i++)
        fputc((int)(number >> (8 * i) & 0xff), zip->stream);
    zip->bytes += (uint64_t)bytes;
}

static void write_bytes(struct zip_file *zip, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, zip->stream);
    zip->bytes += count;
}

/* Date and time of DOS: to two seconds, in local time. */
static uint32_t moment_of(time_t seconds)
{
    struct tm local;
    if (localtime_r(&seconds, &local) == NULL || local.tm_year + 1900 < FIRST_YEAR)
        return 1 << 21 | 1 << 16;
    return (uint32_t)(local.tm_year + 1900 - FIRST_YEAR) << 25 | (uint32_t)(local.tm_mon + 1) << 21 |
           (uint32_t)local.tm_mday << 16 | (uint32_t)local.tm_hour << 11 | (uint32_t)local.tm_min << 5 |
           (uint32_t)local.tm_sec / 2;
}

/* The common members of both headers of a file. */
static void write_common(struct zip_file *zip, const struct zip_entry *entry)
{
    write_number(zip, VERSION_NEEDED, 2);
    write_number(zip, 0, 2);
    write_number(zip, DEFLATED, 2);
    write_number(zip, entry->moment, 4);
    write_number(zip, entry->sum, 4);
    write_number(zip, entry->packed_bytes, 4);
    write_number(zip, entry->bytes, 4);
    write_number(zip, (uint32_t)strlen(entry->name), 2);
    write_number(zip, 0, 2);
}

/* NULL: it has failed. The caller frees it. */
static unsigned char *deflate_bytes(const void *bytes, size_t count, size_t *ret_count)
{
    z_stream stream = {.zalloc = Z_NULL};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    const size_t room = deflateBound(&stream, count);
    unsigned char *packed = allocate(room);
    stream.next_in = (unsigned char *)bytes; /* which zlib only reads */
    stream.avail_in = (uInt)count;
    stream.next_out = packed;
    stream.avail_out = (uInt)room;
    const int result = deflate(&stream, Z_FINISH);
    *ret_count = stream.total_out;
    deflateEnd(&stream);
    if (result == Z_STREAM_END)
        return packed;
    free(packed);
    return NULL;
}

int zip_file_create(const char *path, mode_t mode, struct zip_file *ret_zip, struct reason *ret_reason)
{
    struct zip_file zip = {.error = 0};
    if (output_file_create(path, mode, &zip.file, ret_reason) != 0)
        return -1;
    zip.stream = file_open_stream(zip.file.descriptor, "w");
    if (zip.stream == NULL) {
        output_file_fail(&zip.file, errno, ret_reason);
        output_file_discard(&zip.file);
        return -1;
    }
    *ret_zip = zip;
    return 0;
}

void zip_file_add(struct zip_file *zip, const char *name, const void *bytes, size_t count, time_t changed)
{
    size_t packed_count = 0;
    unsigned char *packed =
        count < UINT32_MAX / 2 && zip->bytes < UINT32_MAX / 2 ? deflate_bytes(bytes, count, &packed_count) : NULL;
    if (packed == NULL) {
        zip->error = zip->error != 0 ? zip->error : EFBIG;
        return;
    }
    zip->entries = array_append(zip->entries, &zip->entry_count, sizeof *zip->entries);
    struct zip_entry *entry = &zip->entries[zip->entry_count - 1];
    *entry = (struct zip_entry){.name = copy_text(name),
                                .moment = moment_of(changed),
                                .sum = (uint32_t)crc32(0, bytes, (uInt)count),
                                .packed_bytes = (uint32_t)packed_count,
                                .bytes = (uint32_t)count,
                                .offset = (uint32_t)zip->bytes};
    write_number(zip, LOCAL_HEADER, 4);
    write_common(zip, entry);
    write_bytes(zip, name, strlen(name));
    write_bytes(zip, packed, packed_count);
    free(packed);
}

static void write_directory(struct zip_file *zip)
{
    const uint64_t begin = zip->bytes;
    for (size_t i = 0; i < zip->entry_count; i++) {
        const struct zip_entry *entry = &zip->entries[i];
        write_number(zip, CENTRAL_HEADER, 4);
        write_number(zip, MADE_BY_UNIX, 2);
        write_common(zip, entry);
        write_number(zip, 0, 2); /* comment */
        write_number(zip, 0, 2); /* disk */
        write_number(zip, 0, 2);
        write_number(zip, file_attributes, 4);
        write_number(zip, entry->offset, 4);
        write_bytes(zip, entry->name, strlen(entry->name));
    }
    const uint64_t end = zip->bytes;
    write_number(zip, END_OF_ARCHIVE, 4);
    write_number(zip, 0, 4); /* disks */
    write_number(zip, (uint32_t)zip->entry_count, 2);
    write_number(zip, (uint32_t)zip->entry_count, 2);
    write_number(zip, (uint32_t)(end - begin), 4);
    write_number(zip, (uint32_t)begin, 4);
    write_number(zip, 0, 2);
}

int zip_file_finish(struct zip_file *zip, uint64_t *ret_bytes, struct reason *ret_reason)
{
    write_directory(zip);
    const bool was_written = fflush(zip->stream) == 0 && ferror(zip->stream) == 0;
    const int error = zip->error != 0 ? zip->error : errno;
    int result = zip->error != 0 || !was_written ? output_file_fail(&zip->file, error, ret_reason) : 0;
    if (result == 0) {
        *ret_bytes = zip->bytes;
        result = output_file_finish(&zip->file, ret_reason);
    }
    zip_file_discard(zip);
    return result;
}

void zip_file_discard(struct zip_file *zip)
{
    if (zip->stream == NULL)
        return;
    fclose(zip->stream);
    output_file_discard(&zip->file);
    for (size_t i = 0; i < zip->entry_count; i++)
        free(zip->entries[i].name);
    free(zip->entries);
    *zip = (struct zip_file){.stream = NULL};
}
