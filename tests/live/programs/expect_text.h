/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How expectations become text: parts of JSON objects, each with a comma after it.
 */
#ifndef TESTS_EXPECT_TEXT_H
#define TESTS_EXPECT_TEXT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline _Noreturn void fail(const char *what)
{
    perror(what);
    _exit(70);
}

static inline uint64_t handle_value(const void *handle, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, handle, bytes);
    return value;
}

static inline FILE *text_stream(char **text, size_t *bytes)
{
    FILE *stream = open_memstream(text, bytes);
    if (stream == NULL) {
        fail("open_memstream");
    }
    return stream;
}

static inline void write_text(FILE *stream, const char *name, const char *value)
{
    if (value == NULL) {
        fprintf(stream, "\"%s\": null, ", name);
    } else {
        fprintf(stream, "\"%s\": \"%s\", ", name, value);
    }
}

static inline void write_number(FILE *stream, const char *name, int known, long long value)
{
    if (known) {
        fprintf(stream, "\"%s\": %lld, ", name, value);
    } else {
        fprintf(stream, "\"%s\": null, ", name);
    }
}

/* An address or a handle. */
static inline void write_address(FILE *stream, const char *name, int known, uint64_t value)
{
    if (known) {
        fprintf(stream, "\"%s\": \"0x%llx\", ", name, (unsigned long long)value);
    } else {
        fprintf(stream, "\"%s\": null, ", name);
    }
}

/* Elements were written with a comma after each: JSON wants it gone. Frees the stream and its text. */
static inline void write_list(FILE *file, const char *name, FILE *stream, char **text)
{
    if (fclose(stream) != 0) {
        fail("fclose");
    }
    size_t bytes = strlen(*text);
    fprintf(file, "\"%s\": [%.*s]", name, bytes >= 2 ? (int)bytes - 2 : 0, *text);
    free(*text);
}

/* Writes the lists "requests" and "objects", the second only where any object was stated. */
void expect_write_objects(FILE *file);

#endif
