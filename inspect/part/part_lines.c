/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packs a part by zstd and writes it as lines.
 */
#include "part/part.h"

#include "base/base.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

/* Beyond this, packing takes twice the time and the part gets 5 % smaller. */
enum { LEVEL = 6 };

/* Where several hosts write into one pipe, a write of up to PIPE_BUF bytes stays whole: each ends with a line. */
enum { LINES_AT_ONCE = PIPE_BUF / MOST_LINE_BYTES };

static int put(FILE *stream, const char *host, int round, enum part_word word, uint32_t number, const char *text,
               size_t length)
{
    struct part_line line = {.round = round, .word = word, .number = number, .text = text, .length = length};
    char bytes[MOST_LINE_BYTES + 1];
    part_host_name(host, line.host);
    const size_t count = part_line_write(&line, bytes);
    return fwrite(bytes, 1, count, stream) == count ? 0 : -1;
}

static int put_text(FILE *stream, const char *host, int round, enum part_word word, const char *text)
{
    return put(stream, host, round, word, 0, text, strlen(text));
}

static int put_content(FILE *stream, const char *host, int round, const char *packed, size_t count)
{
    int result = fflush(stream);
    for (size_t done = 0; done < count && result == 0; done += PART_LINE_CONTENT) {
        char text[PART_LINE_TEXT];
        const size_t bytes = count - done < PART_LINE_CONTENT ? count - done : PART_LINE_CONTENT;
        const uint32_t number = (uint32_t)(done / PART_LINE_CONTENT);
        base64_encode(packed + done, bytes, text);
        result = put(stream, host, round, PART_WORD_CONTENT, number, text, BASE64_LENGTH(bytes));
        if (result == 0 && (number + 1) % LINES_AT_ONCE == 0)
            result = fflush(stream);
    }
    return result == 0 ? fflush(stream) : result;
}

int part_write(FILE *stream, const char *host, int round, const void *bytes, size_t count)
{
    const size_t room = ZSTD_compressBound(count);
    char *packed = allocate(room);
    const size_t packed_count = ZSTD_compress(packed, room, bytes, count, LEVEL);
    int result = ZSTD_isError(packed_count) ? -1 : 0;
    if (result == 0) {
        const size_t lines = (packed_count + PART_LINE_CONTENT - 1) / PART_LINE_CONTENT;
        char *begin = format_text("%zu %zu", packed_count, count);
        char *end = format_text("%zu %08lx", lines, crc32_z(0, (const Bytef *)packed, packed_count));
        result = put_text(stream, host, round, PART_WORD_BEGIN, begin);
        if (result == 0)
            result = put_content(stream, host, round, packed, packed_count);
        if (result == 0)
            result = put_text(stream, host, round, PART_WORD_END, end);
        free(begin);
        free(end);
    }
    free(packed);
    return result == 0 && fflush(stream) == 0 ? 0 : -1;
}

int part_write_ready(FILE *stream, const char *host, int round)
{
    return put_text(stream, host, round, PART_WORD_READY, "") == 0 && fflush(stream) == 0 ? 0 : -1;
}

int part_write_merged(FILE *stream, const char *host, int round, const char *gateway)
{
    char name[MOST_HOST_BYTES + 1];
    part_host_name(gateway, name);
    return put_text(stream, host, round, PART_WORD_MERGED, name) == 0 && fflush(stream) == 0 ? 0 : -1;
}

/* Printable ASCII; everything else, "%" and the mark of a line becomes "%40". Returns the number of characters
 * taken. */
static size_t escape(const char *text, char ret_escaped[PART_LINE_TEXT + 1])
{
    size_t taken = 0, length = 0;
    for (; text[taken] != '\0'; taken++) {
        const unsigned char character = (unsigned char)text[taken];
        const bool is_plain = character >= ' ' && character <= '~' && character != '%' && character != '@';
        if (length + (is_plain ? 1 : 3) > PART_LINE_TEXT)
            break;
        length += (size_t)snprintf(ret_escaped + length, 4, is_plain ? "%c" : "%%%02x", character);
    }
    ret_escaped[length] = '\0';
    return taken;
}

int part_write_error(FILE *stream, const char *host, const char *text)
{
    int result = 0;
    for (uint32_t number = 0; number < MOST_ERROR_LINES && text[0] != '\0' && result == 0; number++) {
        char escaped[PART_LINE_TEXT + 1];
        text += escape(text, escaped);
        result = put(stream, host, 0, PART_WORD_ERROR, number, escaped, strlen(escaped));
    }
    return result == 0 && fflush(stream) == 0 ? 0 : -1;
}

int part_write_mark(FILE *stream, const char *host, double quiet_s, size_t ranks)
{
    char text[PART_LINE_TEXT];
    snprintf(text, sizeof text, "%.0f %zu", quiet_s * 1000, ranks);
    return put_text(stream, host, 0, PART_WORD_MARK, text) == 0 && fflush(stream) == 0 ? 0 : -1;
}

bool part_parse_mark(const struct part_line *line, double *ret_quiet_s, size_t *ret_ranks)
{
    char text[PART_LINE_TEXT + 1];
    char *end;
    if (line->word != PART_WORD_MARK || line->length > PART_LINE_TEXT)
        return false;
    memcpy(text, line->text, line->length);
    text[line->length] = '\0';
    const unsigned long long quiet_ms = strtoull(text, &end, 10);
    if (end == text || *end != ' ')
        return false;
    const char *second = end + 1;
    const unsigned long long ranks = strtoull(second, &end, 10);
    if (end == second || *end != '\0')
        return false;
    *ret_quiet_s = (double)quiet_ms / 1000;
    *ret_ranks = (size_t)ranks;
    return true;
}

int part_write_status(FILE *stream, const char *host, int status)
{
    char text[16];
    snprintf(text, sizeof text, "%d", status);
    return put_text(stream, host, 0, PART_WORD_STATUS, text) == 0 && fflush(stream) == 0 ? 0 : -1;
}
