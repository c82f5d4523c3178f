/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compresses and unpacks databases, piece by piece.
 */
#include "snapshot/snapshot_internal.h"

#include "base/base.h"
#include "file/file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* The fastest one makes a tenth of them; more than this no database of ours gets. */
enum { LEVEL = 1, MOST_RATIO = 100, LEAST_BYTES = 1 << 22 };

/* A frame to be skipped: its magic number and the number of bytes behind, lowest byte first; then what the file is. */
static const char beginning[] = "\x50\x2a\x4d\x18\x10\x00\x00\x00mpilens snapshot";
enum { BEGINNING_BYTES = sizeof beginning - 1 };

bool snapshot_is_compressed(int file)
{
    char bytes[BEGINNING_BYTES];
    return pread(file, bytes, sizeof bytes, 0) == sizeof bytes && memcmp(bytes, beginning, sizeof bytes) == 0;
}

bool snapshot_is_large(int database)
{
    struct stat information;
    return fstat(database, &information) == 0 && information.st_size >= LEAST_BYTES;
}

/* Buffers of the sizes that the library likes. */
struct pieces {
    char *input, *output;
    size_t input_bytes, output_bytes;
};

static struct pieces pieces_make(size_t input_bytes, size_t output_bytes)
{
    return (struct pieces){.input = allocate(input_bytes),
                           .output = allocate(output_bytes),
                           .input_bytes = input_bytes,
                           .output_bytes = output_bytes};
}

static void pieces_free(struct pieces *pieces)
{
    free(pieces->input);
    free(pieces->output);
}

static int error_of(FILE *file)
{
    return ferror(file) && errno != 0 ? errno : EIO;
}

/* One piece of input, to its end or the frame's. */
static int compress_piece(ZSTD_CCtx *context, size_t count, bool is_last, struct pieces *pieces, FILE *to)
{
    ZSTD_inBuffer input = {pieces->input, count, 0};
    for (size_t left = 1; left > 0;) {
        ZSTD_outBuffer output = {pieces->output, pieces->output_bytes, 0};
        left = ZSTD_compressStream2(context, &output, &input, is_last ? ZSTD_e_end : ZSTD_e_continue);
        if (ZSTD_isError(left))
            return EIO;
        if (fwrite(pieces->output, 1, output.pos, to) != output.pos)
            return error_of(to);
        if (!is_last && input.pos == input.size)
            break;
    }
    return 0;
}

static int compress(FILE *from, FILE *to, struct pieces *pieces)
{
    struct stat information;
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (context == NULL)
        return ENOMEM;
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    if (fstat(fileno(from), &information) == 0)
        ZSTD_CCtx_setPledgedSrcSize(context, (unsigned long long)information.st_size);
    int error = fwrite(beginning, 1, BEGINNING_BYTES, to) == BEGINNING_BYTES ? 0 : error_of(to);
    for (bool is_last = false; error == 0 && !is_last;) {
        const size_t count = fread(pieces->input, 1, pieces->input_bytes, from);
        is_last = count < pieces->input_bytes;
        error = ferror(from) ? error_of(from) : compress_piece(context, count, is_last, pieces, to);
    }
    ZSTD_freeCCtx(context);
    return error;
}

int snapshot_compress(int database, int compressed)
{
    FILE *from = file_open_stream(database, "r");
    FILE *to = from != NULL ? file_open_stream(compressed, "w") : NULL;
    int error = to != NULL ? 0 : errno;
    if (to != NULL) {
        struct pieces pieces = pieces_make(ZSTD_CStreamInSize(), ZSTD_CStreamOutSize());
        error = compress(from, to, &pieces);
        pieces_free(&pieces);
        if (fclose(to) != 0 && error == 0)
            error = errno;
    }
    if (from != NULL)
        fclose(from);
    return error;
}

/* Why the database cannot be had; NULL: it was written. */
static const char *decompress_frame(ZSTD_DCtx *context, FILE *from, FILE *to, uint64_t most, struct pieces *pieces)
{
    uint64_t written = 0;
    size_t count, left = 1;
    while ((count = fread(pieces->input, 1, pieces->input_bytes, from)) > 0) {
        ZSTD_inBuffer input = {pieces->input, count, 0};
        while (input.pos < input.size) {
            ZSTD_outBuffer output = {pieces->output, pieces->output_bytes, 0};
            left = ZSTD_decompressStream(context, &output, &input);
            if (ZSTD_isError(left))
                return ZSTD_getErrorName(left);
            written += output.pos;
            if (written > most)
                return "it says of itself that it is larger than any";
            if (fwrite(pieces->output, 1, output.pos, to) != output.pos)
                return "its database does not fit into the directory for temporary files, see TMPDIR";
        }
    }
    return ferror(from) ? strerror(errno) : left != 0 || written == 0 ? "its end is missing" : NULL;
}

static const char *decompress(FILE *from, FILE *to)
{
    struct stat information;
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (context == NULL || fstat(fileno(from), &information) != 0) {
        ZSTD_freeDCtx(context);
        return strerror(ENOMEM);
    }
    struct pieces pieces = pieces_make(ZSTD_DStreamInSize(), ZSTD_DStreamOutSize());
    const uint64_t most = (uint64_t)information.st_size * MOST_RATIO;
    const char *problem = decompress_frame(context, from, to, most, &pieces);
    if (problem == NULL && fflush(to) != 0)
        problem = strerror(errno);
    pieces_free(&pieces);
    ZSTD_freeDCtx(context);
    return problem;
}

int snapshot_decompress(int compressed, const char *path, int *ret_database, struct reason *ret_reason)
{
    const int database = unnamed_file_create();
    FILE *to = database >= 0 ? file_open_stream(database, "w") : NULL;
    FILE *from = to != NULL ? file_open_stream(compressed, "r") : NULL;
    const int error = errno;
    const char *problem = from != NULL ? decompress(from, to) : NULL;
    if (from != NULL)
        fclose(from);
    if (to != NULL)
        fclose(to);
    if (from != NULL && problem == NULL) {
        *ret_database = database;
        return 0;
    }
    if (database >= 0)
        close(database);
    return from == NULL ? reason_set(ret_reason, "%s: there can be no temporary file for its database: %s", path,
                                     strerror(error))
                        : reason_set(ret_reason, "%s: the snapshot is damaged (%s): take another one", path, problem);
}
