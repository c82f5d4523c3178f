/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocates memory, or ends the command.
 */
#include "base/base.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BYTES = 1 << 20 };

static void *require(void *memory)
{
    if (memory == NULL) {
        fputs("mpilens: out of memory\n", stderr);
        exit(EXIT_UNREADABLE);
    }
    return memory;
}

void allocation_prepare(void)
{
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
    mallopt(M_TRIM_THRESHOLD, 4 * LARGE_BYTES);
    mallopt(M_ARENA_MAX, 1); /* threads that read come and go: none leaves an arena behind */
#endif
}

void *allocate(size_t bytes)
{
    return require(calloc(1, bytes > 0 ? bytes : 1));
}

char *copy_text(const char *text)
{
    return require(strdup(text));
}

char *format_text(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = NULL;
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return require(length < 0 ? NULL : text);
}

FILE *open_text(char **ret_text)
{
    static size_t length; /* of whichever was closed last: the texts end with 0, so nobody asks */
    *ret_text = NULL;
    return require(open_memstream(ret_text, &length));
}

/* The growth of an array that is full with `used` elements: a quarter of the power of two below. */
static size_t growth(size_t used)
{
    const size_t highest = ~(SIZE_MAX / 2);
    return used < 8 ? 1 : (highest >> __builtin_clzl(used)) / 4;
}

/* The capacity of an array with `count` elements: the next multiple of its growth. */
static size_t capacity_of(size_t count)
{
    const size_t more = growth(count); /* a power of two */
    return (count + more - 1) & ~(more - 1);
}

bool array_has_room(size_t count)
{
    return (count & (growth(count) - 1)) != 0;
}

void *array_grow(void *memory, size_t header, size_t *count, size_t more, size_t element_bytes)
{
    const size_t used = *count, capacity = capacity_of(used + more);
    if (capacity > capacity_of(used))
        memory = require(used + more < used || capacity > (SIZE_MAX - header) / element_bytes
                             ? NULL
                             : realloc(memory, header + capacity * element_bytes));
    if (more > 0)
        memset((char *)memory + header + used * element_bytes, 0, more * element_bytes);
    *count = used + more;
    return memory;
}

void *array_extend(void *array, size_t *count, size_t more, size_t element_bytes)
{
    return array_grow(array, 0, count, more, element_bytes);
}

void *array_append(void *array, size_t *count, size_t element_bytes)
{
    const size_t used = *count;
    if (!array_has_room(used)) /* which is rare: graphs have millions of nodes */
        return array_extend(array, count, 1, element_bytes);
    memset((char *)array + used * element_bytes, 0, element_bytes);
    *count = used + 1;
    return array;
}

int texts_compare(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}
