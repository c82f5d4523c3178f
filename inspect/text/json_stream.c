/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes JSON documents value by value.
 */
#include "text/json_stream.h"

#include <errno.h>
#include <string.h>

/* The library's pieces are tiny: locking the stream for each would cost more than all else. */
static void put(struct json_stream *stream, const char *text, size_t bytes)
{
    if (stream->error == 0 && fwrite_unlocked(text, 1, bytes, stream->file) != bytes)
        stream->error = errno != 0 ? errno : EIO;
}

static void put_text(struct json_stream *stream, const char *text)
{
    put(stream, text, strlen(text));
}

static void put_indentation(struct json_stream *stream)
{
    static const char spaces[JSON_STREAM_DEPTH + 1] = "                ";
    put(stream, spaces, stream->depth);
}

/* Writes the separator and name before a value. */
static void begin_value(struct json_stream *stream, const char *name)
{
    if (stream->depth > 0) {
        put_text(stream, stream->is_empty ? "\n" : ",\n");
        put_indentation(stream);
    }
    stream->is_empty = false;
    if (name != NULL) {
        put(stream, "\"", 1);
        put_text(stream, name);
        put_text(stream, "\": ");
    }
}

static void open_container(struct json_stream *stream, const char *name, const char *opening, char closing)
{
    begin_value(stream, name);
    put_text(stream, opening);
    stream->closing[stream->depth++] = closing;
    stream->is_empty = true;
}

void json_stream_open_object(struct json_stream *stream, const char *name)
{
    open_container(stream, name, "{", '}');
}

void json_stream_open_array(struct json_stream *stream, const char *name)
{
    open_container(stream, name, "[", ']');
}

void json_stream_close(struct json_stream *stream)
{
    stream->depth--;
    if (!stream->is_empty) {
        put(stream, "\n", 1);
        put_indentation(stream);
    }
    put(stream, &stream->closing[stream->depth], 1);
    stream->is_empty = false;
}

/* Line ends are the library's: in texts they are escaped. */
static int put_piece(const char *text, size_t bytes, void *context)
{
    struct json_stream *stream = context;
    while (bytes > 0) {
        const char *end = memchr(text, '\n', bytes);
        const size_t line = end != NULL ? (size_t)(end - text) + 1 : bytes;
        put(stream, text, line);
        if (end != NULL)
            put_indentation(stream);
        text += line;
        bytes -= line;
    }
    return stream->error != 0 ? -1 : 0;
}

void json_stream_add(struct json_stream *stream, const char *name, json_t *value)
{
    begin_value(stream, name);
    if (stream->error == 0 &&
        (value == NULL || json_dump_callback(value, put_piece, stream,
                                             JSON_INDENT(1) | JSON_REAL_PRECISION(12) | JSON_ENCODE_ANY) != 0) &&
        stream->error == 0)
        stream->error = ENOMEM;
    json_decref(value);
}

void json_stream_add_written(struct json_stream *stream, const char *name, const char *value, size_t bytes)
{
    begin_value(stream, name);
    put(stream, value, bytes);
}

void json_stream_add_plain_text(struct json_stream *stream, const char *name, const char *text, size_t bytes)
{
    begin_value(stream, name);
    put(stream, "\"", 1);
    put(stream, text, bytes);
    put(stream, "\"", 1);
}

void json_stream_add_members(struct json_stream *stream, json_t *object)
{
    const char *name;
    json_t *value;
    if (object == NULL && stream->error == 0)
        stream->error = ENOMEM;
    json_object_foreach(object, name, value) json_stream_add(stream, name, json_incref(value));
    json_decref(object);
}

int json_stream_finish(struct json_stream *stream)
{
    put(stream, "\n", 1);
    if (stream->error == 0 && fflush(stream->file) != 0)
        stream->error = errno;
    errno = stream->error;
    return stream->error == 0 ? 0 : -1;
}
