/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects of CPython in the memory of a process that may be damaged, or change while it is read: all that is read is
 * bounded, and what is no object of the kind that it should be is not known.
 */
#ifndef MPILENS_INSPECT_PYTHON_PYTHON_MEMORY_H
#define MPILENS_INSPECT_PYTHON_PYTHON_MEMORY_H

#include "python/python_offsets.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target;

struct python_memory {
    struct target *target;
    struct python_offsets offsets;
    size_t reads;       /* so far */
    uint64_t code_type; /* the type of code; 0: none was seen */
};

/* Classes of objects, by the flags of their types. */
enum python_class {
    PYTHON_INTEGER = 1 << 24,
    PYTHON_TUPLE = 1 << 26,
    PYTHON_BYTES = 1 << 27,
    PYTHON_TEXT = 1 << 28,
    PYTHON_DICTIONARY = 1 << 29,
    PYTHON_EXCEPTION = 1 << 30,
};

/* These return false, or NULL, where that cannot be read; then the output is undefined. */
bool python_read(struct python_memory *memory, uint64_t address, void *ret_bytes, size_t count);
bool python_read_pointer(struct python_memory *memory, uint64_t address, uint64_t *ret_pointer);
bool python_read_number(struct python_memory *memory, uint64_t address, int32_t *ret_number);
bool python_is(struct python_memory *memory, uint64_t object, enum python_class class);
/* The name of the type of an object, as UTF-8. The caller frees it. */
char *python_read_type(struct python_memory *memory, uint64_t object);
/* A text as UTF-8, cut behind so many characters. The caller frees it. */
char *python_read_text(struct python_memory *memory, uint64_t object, size_t most);
/* The content of bytes, which the caller frees. */
unsigned char *python_read_bytes(struct python_memory *memory, uint64_t object, size_t *ret_count);
/* The value of a text in a dictionary. */
bool python_find_key(struct python_memory *memory, uint64_t dictionary, const char *key, uint64_t *ret_value);

#endif
