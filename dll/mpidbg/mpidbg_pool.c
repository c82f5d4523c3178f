/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocates the blocks of one answer, lists them, and frees them together.
 */
#include "mpidbg/mpidbg_internal.h"

#include "target/target.h"

#include <string.h>

#define POOL_MARK UINT64_C(0x6d70696462677878)

struct pool_block {
    struct pool_block *next;
    uint64_t reserved; /* aligns the following data for any type */
};

/* Before the object. */
struct pool {
    struct pool_block *blocks;
    uint64_t mark;
    uint64_t failed;
    uint64_t reserved;
};

static struct pool *pool_of(const void *object)
{
    return (struct pool *)(uintptr_t)object - 1;
}

void *pool_begin(size_t bytes)
{
    struct pool *pool = inquiry_allocate(1, sizeof *pool + bytes);
    if (pool == NULL)
        return NULL;
    pool->mark = POOL_MARK;
    return pool + 1;
}

void *pool_take(void *object, size_t count, size_t item_bytes)
{
    struct pool *pool = pool_of(object);
    if (count == 0)
        return NULL;
    struct pool_block *block =
        count < SIZE_MAX / 4 / item_bytes ? allocate_array(1, sizeof *block + count * item_bytes) : NULL;
    if (block == NULL) {
        pool->failed = 1;
        return NULL;
    }
    block->next = pool->blocks;
    pool->blocks = block;
    return memset(block + 1, 0, count * item_bytes);
}

char *pool_text(void *object, const char *text)
{
    static char empty[1];
    const size_t bytes = strlen(text) + 1;
    char *copy = bytes > 1 ? pool_take(object, bytes, 1) : NULL;
    return copy != NULL ? memcpy(copy, text, bytes) : empty;
}

bool pool_has_failed(const void *object)
{
    return pool_of(object)->failed != 0;
}

void pool_end(void *object)
{
    struct pool *pool = pool_of(object);
    while (pool->blocks != NULL) {
        struct pool_block *block = pool->blocks;
        pool->blocks = block->next;
        release(block);
    }
    pool->mark = 0;
    release(pool);
}

int pool_handle_free(void *object)
{
    const mqs_basic_callbacks *former;
    if (object == NULL)
        return MPIDBG_SUCCESS;
    if (pool_of(object)->mark != POOL_MARK || inquiry_enter(&former) == NULL)
        return MPIDBG_ERR_NOT_FOUND;
    pool_end(object);
    inquiry_leave(former);
    return MPIDBG_SUCCESS;
}
