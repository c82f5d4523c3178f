/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocates blocks: a list of free ones for each of a few sizes, cut off larger mappings that stay. Larger blocks have
 * mappings of their own.
 */
#include "memory/memory.h"

#include <pthread.h>
#include <stdint.h>

enum { MAPPING_BYTES = 1 << 16, PAGE_BYTES = 4096 };

static const uint16_t sizes[] = {32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048};

enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

struct free_block {
    struct free_block *next;
};

static pthread_mutex_t block_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct free_block *free_blocks[SIZE_COUNT];
static char *uncut; /* of the last mapping */
static size_t uncut_bytes;

/* The smallest size that suffices; SIZE_COUNT: none does. */
static size_t size_index(size_t bytes)
{
    size_t index = 0;
    while (index < SIZE_COUNT && sizes[index] < bytes)
        index++;
    return index;
}

static size_t room(size_t index, size_t bytes)
{
    return index < SIZE_COUNT ? sizes[index] : (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

size_t block_room(size_t bytes)
{
    return bytes > 0 ? room(size_index(bytes), bytes) : 0;
}

static void *cut(size_t bytes)
{
    if (uncut_bytes < bytes) {
        char *mapping = memory_map_together(MAPPING_BYTES);
        if (mapping == NULL)
            return NULL;
        uncut = mapping;
        uncut_bytes = MAPPING_BYTES;
    }
    void *block = uncut;
    uncut += bytes;
    uncut_bytes -= bytes;
    return block;
}

void *block_take(size_t bytes)
{
    size_t index = size_index(bytes);
    if (index == SIZE_COUNT)
        return memory_map_shown(room(index, bytes));
    pthread_mutex_lock(&block_mutex);
    struct free_block *block = free_blocks[index];
    if (block != NULL)
        free_blocks[index] = block->next;
    else
        block = cut(sizes[index]);
    pthread_mutex_unlock(&block_mutex);
    return block;
}

void block_give_back(void *block, size_t bytes)
{
    if (block == NULL)
        return;
    size_t index = size_index(bytes);
    if (index == SIZE_COUNT) {
        memory_unmap(block, room(index, bytes));
        return;
    }
    struct free_block *freed = block;
    pthread_mutex_lock(&block_mutex);
    freed->next = free_blocks[index];
    free_blocks[index] = freed;
    pthread_mutex_unlock(&block_mutex);
}
