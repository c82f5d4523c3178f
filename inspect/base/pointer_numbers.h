/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Numbers objects that many records refer to by pointer.
 */
#ifndef MPILENS_INSPECT_BASE_POINTER_NUMBERS_H
#define MPILENS_INSPECT_BASE_POINTER_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Zero-initialised is empty. */
struct pointer_numbers {
    struct pointer_number {
        const void *pointer;
        int64_t number;
    } * entries;
    size_t capacity; /* a power of two, or 0 */
    size_t count;
};

/* Where the number of the pointer (not NULL) stands: 0 until the caller has set it. Valid until the next call. */
int64_t *pointer_numbers_find(struct pointer_numbers *numbers, const void *pointer);
void pointer_numbers_clear(struct pointer_numbers *numbers);

#endif
