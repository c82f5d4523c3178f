/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes JSON documents value by value.
 */
#include "text/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 32, MICROSECONDS = 1000000 };

/* Pieces are tiny: locking the file for each would cost more than all else. */
static void put(struct json_stream *stream, const char *text, size_t bytes)
{
    if (stream->error == 0 && fwrite_unlocked(text, 1, bytes, stream->file) != bytes)
        stream->error = errno != 0 ? errno : EIO;
}

static void put_text(struct json_stream *stream, const char *text)
{
    put(stream, text, strlen(text));
}

static void put_line_break(struct json_stream *stream)
{
    static const char line[JSON_STREAM_DEPTH + 2] =
        "\n                                                                ";
    if (stream->style == JSON_INDENTED)
        put(stream, line, stream->depth + 1);
}

/* Writes the separator and name before a value. */
static void begin_value(struct json_stream *stream, const char *name)
{
    if (!stream->is_empty && stream->depth > 0)
        put(stream, ",", 1);
    if (stream->depth > 0)
        put_line_break(stream);
    stream->is_empty = false;
    if (name == NULL)
        return;
    put(stream, "\"", 1);
    put_text(stream, name);
    put_text(stream, stream->style == JSON_INDENTED ? "\": " : "\":");
}

static void open_container(struct json_stream *stream, const char *name, char opening, char closing)
{
    begin_value(stream, name);
    put(stream, &opening, 1);
    if (stream->depth == JSON_STREAM_DEPTH) {
        stream->error = stream->error != 0 ? stream->error : EOVERFLOW;
        return;
    }
    stream->closing[stream->depth++] = closing;
    stream->is_empty = true;
}

void json_stream_open_object(struct json_stream *stream, const char *name)
{
    open_container(stream, name, '{', '}');
}

void json_stream_open_document(struct json_stream *stream, const char *verb)
{
    json_stream_open_object(stream, NULL);
    json_stream_any_text(stream, "schema", "mpilens/1");
    json_stream_any_text(stream, "verb", verb);
}

void json_stream_open_array(struct json_stream *stream, const char *name)
{
    open_container(stream, name, '[', ']');
}

void json_stream_close(struct json_stream *stream)
{
    if (stream->error != 0)
        return;
    const char closing = stream->closing[--stream->depth];
    if (!stream->is_empty)
        put_line_break(stream);
    put(stream, &closing, 1);
    stream->is_empty = false;
}

static void write_value(struct json_stream *stream, const char *name, const char *value, size_t bytes)
{
    begin_value(stream, name);
    put(stream, value, bytes);
}

void json_stream_null(struct json_stream *stream, const char *name)
{
    write_value(stream, name, "null", strlen("null"));
}

void json_stream_boolean(struct json_stream *stream, const char *name, bool value)
{
    write_value(stream, name, value ? "true" : "false", value ? strlen("true") : strlen("false"));
}

/* In decimal digits, right-aligned before `end`. Returns the first. */
static char *write_digits(uint64_t number, char *end)
{
    do {
        *--end = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return end;
}

void json_stream_integer(struct json_stream *stream, const char *name, int64_t number)
{
    char text[MOST_DIGITS], *end = text + sizeof text;
    char *first = write_digits(number < 0 ? -(uint64_t)number : (uint64_t)number, end);
    if (number < 0)
        *--first = '-';
    write_value(stream, name, first, (size_t)(end - first));
}

void json_stream_integer_if(struct json_stream *stream, const char *name, bool is_known, int64_t number)
{
    if (is_known)
        json_stream_integer(stream, name, number);
    else
        json_stream_null(stream, name);
}

void json_stream_number(struct json_stream *stream, const char *name, int64_t number)
{
    json_stream_integer_if(stream, name, number >= 0, number);
}

void json_stream_identifier(struct json_stream *stream, const char *name, uint64_t number)
{
    json_stream_integer_if(stream, name, number != 0, (int64_t)number);
}

void json_stream_seconds(struct json_stream *stream, const char *name, double seconds)
{
    static const double most_s = 1e12;
    char text[2 * MOST_DIGITS], *end = text + sizeof text;
    if (!(seconds >= 0) || seconds > most_s) {
        json_stream_null(stream, name);
        return;
    }
    const uint64_t microseconds = (uint64_t)llround(seconds * MICROSECONDS);
    char *fraction = write_digits(microseconds % MICROSECONDS + MICROSECONDS, end);
    *fraction = '.'; /* in the place of the 1 */
    char *first = write_digits(microseconds / MICROSECONDS, fraction);
    while (end[-1] == '0' && end[-2] != '.')
        end--;
    write_value(stream, name, first, (size_t)(end - first));
}

static void put_escape(struct json_stream *stream, char character)
{
    static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = strchr(escaped, character);
    char text[8];
    if (found != NULL)
        put(stream, (const char[]){'\\', letters[found - escaped]}, 2);
    else
        put(stream, text, (size_t)snprintf(text, sizeof text, "\\u%04X", (unsigned)character));
}

/* How many bytes at the beginning stand in a document as they are. */
static size_t plain_bytes(const struct json_stream *stream, const char *text)
{
    const bool is_in_html = stream->style == JSON_IN_HTML;
    size_t count = 0;
    for (char byte = *text; byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\'; byte = text[++count])
        if (is_in_html && (byte == '<' || byte == '>' || byte == '&'))
            break;
    return count;
}

static bool is_utf8(const char *text)
{
    size_t bytes = 1;
    for (; *text != '\0' && bytes > 0; text += bytes)
        bytes = (*text & 0x80) != 0 ? utf8_character(text) : 1;
    return bytes > 0;
}

static void put_escaped(struct json_stream *stream, const char *text)
{
    while (*text != '\0') {
        size_t bytes = plain_bytes(stream, text);
        if (bytes == 0 && (*text & 0x80) != 0)
            bytes = utf8_character(text);
        if (bytes > 0)
            put(stream, text, bytes);
        else
            put_escape(stream, *text);
        text += bytes > 0 ? bytes : 1;
    }
}

static void put_quoted(struct json_stream *stream, const char *text)
{
    char *valid = is_utf8(text) ? NULL : valid_text(text);
    put(stream, "\"", 1);
    put_escaped(stream, valid != NULL ? valid : text);
    put(stream, "\"", 1);
    free(valid);
}

void json_stream_any_text(struct json_stream *stream, const char *name, const char *text)
{
    begin_value(stream, name);
    put_quoted(stream, text);
}

void json_stream_text(struct json_stream *stream, const char *name, const char *text)
{
    if (text != NULL && text[0] != '\0')
        json_stream_any_text(stream, name, text);
    else
        json_stream_null(stream, name);
}

void json_stream_named_text(struct json_stream *stream, const char *name, const char *text)
{
    json_stream_any_text(stream, NULL, name);
    put_text(stream, stream->style == JSON_INDENTED ? ": " : ":");
    put_quoted(stream, text);
}

void json_stream_any_address(struct json_stream *stream, const char *name, uint64_t address)
{
    static const char digits[] = "0123456789abcdef";
    char text[MOST_DIGITS], *end = text + sizeof text, *first = end;
    *--first = '"';
    do {
        *--first = digits[address & 0xf];
        address >>= 4;
    } while (address > 0);
    *--first = 'x';
    *--first = '0';
    *--first = '"';
    write_value(stream, name, first, (size_t)(end - first));
}

void json_stream_address(struct json_stream *stream, const char *name, uint64_t address)
{
    if (address != 0)
        json_stream_any_address(stream, name, address);
    else
        json_stream_null(stream, name);
}

void json_stream_unique_id(struct json_stream *stream, const char *name, uint64_t id)
{
    char text[MOST_DIGITS], *end = text + sizeof text - 1;
    *end = '\0';
    json_stream_text(stream, name, id != 0 ? write_digits(id, end) : NULL);
}

int json_stream_finish(struct json_stream *stream)
{
    put(stream, "\n", 1);
    if (stream->error == 0 && fflush(stream->file) != 0)
        stream->error = errno;
    errno = stream->error;
    return stream->error == 0 ? 0 : -1;
}
