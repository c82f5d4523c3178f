/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The allocator's functions, counted.
 */
#include "heap_calls.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

volatile unsigned long heap_calls;

void *malloc(size_t size)
{
    heap_calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    heap_calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    heap_calls++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size)
{
    heap_calls++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    heap_calls++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **ret_memory, size_t alignment, size_t size)
{
    heap_calls++;
    void *memory = __libc_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *ret_memory = memory;
    return 0;
}

void free(void *memory)
{
    heap_calls++;
    __libc_free(memory);
}
