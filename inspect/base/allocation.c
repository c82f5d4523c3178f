/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocates memory, or ends the command.
 */
#include "base/allocation.h"

#include "base/exit_status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *require(void *memory)
{
    if (memory == NULL) {
        fputs("mpilens: out of memory\n", stderr);
        exit(EXIT_UNREADABLE);
    }
    return memory;
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

/* By how many elements an array grows that is full with so many: a quarter of the power of two below. */
static size_t growth(size_t used)
{
    size_t power = 1;
    while (power <= used / 2)
        power *= 2;
    return power < 8 ? 1 : power / 4;
}

void *array_append(void *array, size_t *count, size_t element_bytes)
{
    const size_t used = *count, more = growth(used);
    if (used % more == 0) { /* the capacity is the next multiple */
        const size_t capacity = used + more;
        array = require(capacity > SIZE_MAX / element_bytes ? NULL : realloc(array, capacity * element_bytes));
    }
    memset((char *)array + used * element_bytes, 0, element_bytes);
    *count = used + 1;
    return array;
}
