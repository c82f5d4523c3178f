/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores the addresses of threads, in blocks that never move: each holds twice as many as the one before.
 */
#include "thread/thread_internal.h"

#include "memory/memory.h"

enum { FIRST_BLOCK_BITS = 9, BLOCKS = 32 - FIRST_BLOCK_BITS };

static struct thread **blocks[BLOCKS];

struct place {
    uint32_t block;
    uint32_t offset;
};

static struct place place_of(uint32_t index)
{
    uint32_t number = index + (1u << FIRST_BLOCK_BITS);
    uint32_t top_bit = 31 - (uint32_t)__builtin_clz(number);
    return (struct place){.block = top_bit - FIRST_BLOCK_BITS, .offset = number - (1u << top_bit)};
}

bool thread_index_add(struct thread *thread)
{
    const struct place place = place_of(thread->published.index);
    struct thread **block = blocks[place.block];
    if (block == NULL) {
        block = memory_map((sizeof *block << FIRST_BLOCK_BITS) << place.block);
        if (block == NULL)
            return false;
        __atomic_store_n(&blocks[place.block], block, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&block[place.offset], thread, __ATOMIC_RELEASE);
    return true;
}

struct thread *thread_at(uint32_t index)
{
    const struct place place = place_of(index);
    struct thread **block = __atomic_load_n(&blocks[place.block], __ATOMIC_ACQUIRE);
    return block != NULL ? __atomic_load_n(&block[place.offset], __ATOMIC_ACQUIRE) : NULL;
}
