/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory from the debugger, whichever interface it has come through.
 */
#ifndef MPILENS_DLL_TARGET_ALLOCATOR_H
#define MPILENS_DLL_TARGET_ALLOCATOR_H

#include <stddef.h>

struct allocator {
    void *(*allocate)(size_t bytes); /* not 0; NULL: there is none */
    void (*release)(void *memory);   /* not NULL */
};

/* Puts another one into use and returns the one of before, NULL: none. */
const struct allocator *allocator_exchange(const struct allocator *given);

/* Memory for `count` elements, uninitialised. NULL: none, or the size is not representable. */
void *allocate_array(size_t count, size_t element_bytes);

/* Takes NULL. */
void release(void *memory);

#endif
