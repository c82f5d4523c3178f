/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads objects.
 */
#include "python/python.h"

#include "base/base.h"
#include "target/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits all reads of a process together, one content in bytes, and the entries of a dictionary. */
enum { MOST_READS = 1 << 15, MOST_CONTENT = 1 << 20, MOST_ENTRIES = 1 << 12 };

bool python_read(struct python_memory *memory, uint64_t address, void *ret_bytes, size_t count)
{
    if (address == 0 || memory->reads >= MOST_READS)
        return false;
    memory->reads++;
    return target_peek(memory->target, address, ret_bytes, count);
}

bool python_read_pointer(struct python_memory *memory, uint64_t address, uint64_t *ret_pointer)
{
    return python_read(memory, address, ret_pointer, sizeof *ret_pointer);
}

bool python_read_number(struct python_memory *memory, uint64_t address, int32_t *ret_number)
{
    return python_read(memory, address, ret_number, sizeof *ret_number);
}

bool python_is(struct python_memory *memory, uint64_t object, enum python_class class)
{
    uint64_t type, flags;
    return object != 0 && python_read_pointer(memory, object + PYTHON_OBJECT_TYPE, &type) &&
           python_read_pointer(memory, type + PYTHON_TYPE_FLAGS, &flags) && (flags & (uint64_t) class) != 0;
}

char *python_read_type(struct python_memory *memory, uint64_t object)
{
    enum { MOST_NAME = 128 };
    char name[MOST_NAME + 1];
    uint64_t type, address;
    size_t length = 0;
    if (object == 0 || !python_read_pointer(memory, object + PYTHON_OBJECT_TYPE, &type) ||
        !python_read_pointer(memory, type + PYTHON_TYPE_NAME, &address))
        return NULL;
    /* one by one: the memory behind the name may not be mapped */
    while (length < MOST_NAME && python_read(memory, address + length, &name[length], 1) && name[length] != '\0')
        length++;
    name[length] = '\0';
    return length > 0 ? copy_text(name) : NULL;
}

/* --- texts --- */

struct text_header {
    uint64_t length;
    unsigned kind; /* bytes of a character */
    uint64_t content;
};

static bool read_text_header(struct python_memory *memory, uint64_t object, struct text_header *ret_header)
{
    uint64_t length, content = object + memory->offsets.text_ascii_bytes;
    uint32_t state;
    if (!python_is(memory, object, PYTHON_TEXT) || !python_read_pointer(memory, object + PYTHON_TEXT_LENGTH, &length) ||
        !python_read(memory, object + PYTHON_TEXT_STATE, &state, sizeof state))
        return false;
    /* two bits of which nothing follows, then three of the kind, then one each: compact, only ASCII */
    const unsigned kind = state >> 2 & 7;
    const bool is_compact = (state >> 5 & 1) != 0, is_ascii = (state >> 6 & 1) != 0;
    if (kind != 1 && kind != 2 && kind != 4)
        return false;
    if (!is_compact || !is_ascii)
        content = object + memory->offsets.text_compact_bytes;
    if (!is_compact && !python_read_pointer(memory, content, &content))
        return false;
    *ret_header = (struct text_header){.length = length, .kind = kind, .content = content};
    return true;
}

/* As UTF-8; invalid characters become the replacement character. */
static void write_character(FILE *stream, uint32_t character)
{
    if (character == 0 || character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
        character = 0xfffd;
    if (character < 0x80) {
        fputc((int)character, stream);
    } else if (character < 0x800) {
        fputc((int)(0xc0 | character >> 6), stream);
        fputc((int)(0x80 | (character & 0x3f)), stream);
    } else {
        if (character < 0x10000) {
            fputc((int)(0xe0 | character >> 12), stream);
        } else {
            fputc((int)(0xf0 | character >> 18), stream);
            fputc((int)(0x80 | (character >> 12 & 0x3f)), stream);
        }
        fputc((int)(0x80 | (character >> 6 & 0x3f)), stream);
        fputc((int)(0x80 | (character & 0x3f)), stream);
    }
}

char *python_read_text(struct python_memory *memory, uint64_t object, size_t most)
{
    struct text_header header;
    if (!read_text_header(memory, object, &header))
        return NULL;
    const size_t count = header.length < most ? (size_t)header.length : most;
    unsigned char *content = allocate(count * header.kind + 1);
    char *text = NULL;
    if (count == 0 || python_read(memory, header.content, content, count * header.kind)) {
        FILE *stream = open_text(&text);
        for (size_t i = 0; i < count; i++) {
            uint32_t character = 0;
            memcpy(&character, content + i * header.kind, header.kind);
            write_character(stream, character);
        }
        if (count < header.length)
            fputs("...", stream);
        fclose(stream);
    }
    free(content);
    return text;
}

unsigned char *python_read_bytes(struct python_memory *memory, uint64_t object, size_t *ret_count)
{
    uint64_t count;
    if (!python_is(memory, object, PYTHON_BYTES) || !python_read_pointer(memory, object + PYTHON_OBJECT_SIZE, &count) ||
        count > MOST_CONTENT)
        return NULL;
    unsigned char *content = allocate((size_t)count + 1);
    if (count > 0 && !python_read(memory, object + PYTHON_BYTES_CONTENT, content, (size_t)count)) {
        free(content);
        return NULL;
    }
    *ret_count = (size_t)count;
    return content;
}

/* --- dictionaries --- */

/* Where the entries of a dictionary are. */
struct entries {
    uint64_t first;
    uint64_t count;
    uint64_t distance;
    uint64_t key; /* in an entry; the value follows */
};

static bool find_old_entries(struct python_memory *memory, uint64_t keys, struct entries *ret_entries)
{
    enum { SIZE = 8, COUNT = 32, INDICES = 40 };
    uint64_t size, count;
    if (!python_read_pointer(memory, keys + SIZE, &size) || !python_read_pointer(memory, keys + COUNT, &count) ||
        size > 1ULL << 32)
        return false;
    const uint64_t index = size <= 0xff ? 1 : size <= 0xffff ? 2 : 4;
    *ret_entries = (struct entries){.first = keys + INDICES + size * index, .count = count, .distance = 24, .key = 8};
    return true;
}

static bool find_new_entries(struct python_memory *memory, uint64_t keys, struct entries *ret_entries)
{
    enum { INDEX_BYTES = 9, KIND = 10, COUNT = 24, INDICES = 32, KIND_GENERAL = 0 };
    uint8_t index_bytes, kind;
    uint64_t count;
    if (!python_read(memory, keys + INDEX_BYTES, &index_bytes, 1) || !python_read(memory, keys + KIND, &kind, 1) ||
        !python_read_pointer(memory, keys + COUNT, &count) || index_bytes > 34)
        return false;
    *ret_entries = (struct entries){.first = keys + INDICES + (1ULL << index_bytes),
                                    .count = count,
                                    .distance = kind == KIND_GENERAL ? 24 : 16,
                                    .key = kind == KIND_GENERAL ? 8 : 0};
    return true;
}

static bool is_text(struct python_memory *memory, uint64_t object, const char *wanted)
{
    struct text_header header;
    const size_t length = strlen(wanted);
    if (!read_text_header(memory, object, &header) || header.length != length || header.kind != 1)
        return false;
    char *text = python_read_text(memory, object, length);
    const bool is_wanted = text != NULL && strcmp(text, wanted) == 0;
    free(text);
    return is_wanted;
}

bool python_find_key(struct python_memory *memory, uint64_t dictionary, const char *key, uint64_t *ret_value)
{
    struct entries entries;
    uint64_t keys;
    if (!python_is(memory, dictionary, PYTHON_DICTIONARY) ||
        !python_read_pointer(memory, dictionary + PYTHON_DICTIONARY_KEYS, &keys) || keys == 0 ||
        !(memory->offsets.minor < 11 ? find_old_entries : find_new_entries)(memory, keys, &entries))
        return false;
    for (uint64_t i = 0; i < entries.count && i < MOST_ENTRIES; i++) {
        uint64_t entry[2];
        if (!python_read(memory, entries.first + i * entries.distance + entries.key, entry, sizeof entry))
            return false;
        if (entry[0] != 0 && entry[1] != 0 && is_text(memory, entry[0], key)) {
            *ret_value = entry[1];
            return true;
        }
    }
    return false;
}
