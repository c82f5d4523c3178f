/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes JSON incrementally, for documents too large to be in memory as a whole. The text is formatted as by the
 * library with JSON_INDENT(1).
 */
#ifndef MPILENS_INSPECT_TEXT_JSON_STREAM_H
#define MPILENS_INSPECT_TEXT_JSON_STREAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* More containers are never open. */
enum { JSON_STREAM_DEPTH = 16 };

/* Begins with the file alone, all else 0. */
struct json_stream {
    FILE *file;
    size_t depth;                    /* of the innermost container that is open */
    char closing[JSON_STREAM_DEPTH]; /* of the open containers */
    bool is_empty;                   /* the innermost */
    int error;                       /* errno of what failed first, 0: nothing; nothing is written any more */
};

/* Names are members of the innermost object that is open, NULL in an array and of the document itself; they are written
 * as they are. */
void json_stream_open_object(struct json_stream *stream, const char *name);
void json_stream_open_array(struct json_stream *stream, const char *name);
void json_stream_close(struct json_stream *stream);

/* Takes the value. NULL, as the library gives when it has no memory, is an error. */
void json_stream_add(struct json_stream *stream, const char *name, json_t *value);
/* A value that is already written, `bytes` long. */
void json_stream_add_written(struct json_stream *stream, const char *name, const char *value, size_t bytes);
/* A text of `bytes` printable characters of ASCII, without quotes and backslashes. */
void json_stream_add_plain_text(struct json_stream *stream, const char *name, const char *text, size_t bytes);
/* All members of the object, into the innermost one that is open. Takes the object. */
void json_stream_add_members(struct json_stream *stream, json_t *object);

/* Ends the document. 0, or -1 and errno. */
int json_stream_finish(struct json_stream *stream);

#endif
