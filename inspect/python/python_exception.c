/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads exceptions: type, arguments, and where the traceback ends.
 */
#include "python/python.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Characters of one argument, arguments, and calls of a traceback. */
enum { MOST_TEXT = 400, MOST_ARGUMENTS = 4, MOST_CALLS = 2000 };

/* Integers below 2^30, which have one digit. */
static bool read_integer(struct python_memory *memory, uint64_t object, long *ret_value)
{
    enum { SIZE = 16, DIGIT = 24, SIGN_BITS = 3, DIGITS_SHIFT = 3 };
    int64_t size;
    uint32_t digit = 0;
    if (!python_is(memory, object, PYTHON_INTEGER) || !python_read(memory, object + SIZE, &size, sizeof size))
        return false;
    const bool has_tag = memory->offsets.minor >= 12; /* digits and sign: 0 positive, 1 zero, 2 negative */
    const int64_t digits = has_tag ? size >> DIGITS_SHIFT : size < 0 ? -size : size;
    const bool is_negative = has_tag ? (size & SIGN_BITS) == 2 : size < 0;
    const bool is_zero = has_tag ? (size & SIGN_BITS) == 1 : size == 0;
    if (!is_zero && (digits != 1 || !python_read(memory, object + DIGIT, &digit, sizeof digit)))
        return false;
    *ret_value = is_zero ? 0 : is_negative ? -(long)digit : (long)digit;
    return true;
}

/* False: it is neither text nor a small number. */
static bool write_argument(struct python_memory *memory, uint64_t argument, FILE *stream)
{
    long number;
    char *text = python_read_text(memory, argument, MOST_TEXT);
    const bool is_text = text != NULL;
    if (is_text)
        fputs(text, stream);
    free(text);
    if (is_text)
        return true;
    if (!read_integer(memory, argument, &number))
        return false;
    fprintf(stream, "%ld", number);
    return true;
}

/* Without those that only Python could say. */
static void write_arguments(struct python_memory *memory, uint64_t exception, FILE *stream)
{
    uint64_t tuple, count, argument;
    if (!python_read_pointer(memory, exception + PYTHON_EXCEPTION_ARGUMENTS, &tuple) ||
        !python_is(memory, tuple, PYTHON_TUPLE) || !python_read_pointer(memory, tuple + PYTHON_OBJECT_SIZE, &count))
        return;
    for (uint64_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
        if (!python_read_pointer(memory, tuple + memory->offsets.tuple_items + 8 * i, &argument))
            return;
        fputs(i == 0 ? ": " : ", ", stream);
        if (!write_argument(memory, argument, stream))
            fputs("...", stream);
    }
}

/* The call of the traceback that has no further one. */
static bool find_origin(struct python_memory *memory, uint64_t exception, struct text_pool *texts,
                        struct python_frame *ret_frame)
{
    uint64_t traceback, next;
    if (!python_read_pointer(memory, exception + memory->offsets.exception_traceback, &traceback) || traceback == 0)
        return false;
    for (int i = 0; i < MOST_CALLS; i++) {
        if (!python_read_pointer(memory, traceback + PYTHON_TRACEBACK_NEXT, &next))
            return false;
        if (next == 0)
            return python_read_call(memory, traceback, texts, ret_frame);
        traceback = next;
    }
    return false;
}

/* "mpi4py.MPI.Exception", as Python writes it: types that are built in, or that the program itself defines, have no
 * module. The caller frees it; NULL: it cannot be read. */
static char *describe_type(struct python_memory *memory, uint64_t exception)
{
    uint64_t type, dictionary, value;
    char *name = python_read_type(memory, exception);
    if (name == NULL || strchr(name, '.') != NULL ||
        !python_read_pointer(memory, exception + PYTHON_OBJECT_TYPE, &type) ||
        !python_read_pointer(memory, type + PYTHON_TYPE_DICTIONARY, &dictionary) ||
        !python_find_key(memory, dictionary, "__module__", &value))
        return name;
    char *module = python_read_text(memory, value, MOST_TEXT), *full = NULL;
    if (module != NULL && strcmp(module, "__main__") != 0 && strcmp(module, "builtins") != 0)
        full = format_text("%s.%s", module, name);
    free(module);
    if (full == NULL)
        return name;
    free(name);
    return full;
}

char *python_describe_exception(struct python_memory *memory, uint64_t exception)
{
    struct text_pool texts = {0};
    struct python_frame origin;
    char *text;
    if (!python_is(memory, exception, PYTHON_EXCEPTION))
        return NULL;
    char *type = describe_type(memory, exception);
    if (type == NULL)
        return NULL;
    FILE *stream = open_text(&text);
    fputs(type, stream);
    write_arguments(memory, exception, stream);
    if (find_origin(memory, exception, &texts, &origin)) {
        char *place = python_describe_frame(&origin);
        fprintf(stream, ", raised in %s", place);
        free(place);
    }
    fclose(stream);
    arena_clear(&texts.arena);
    free(type);
    return text;
}
