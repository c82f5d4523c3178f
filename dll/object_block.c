/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keeps one piece of memory of the target.
 */
#include "object_block.h"

#include "callbacks.h"
#include "target.h"

int object_block_read(struct object_block *block, const struct target *target, uint64_t address, uint64_t count,
                      const uint8_t **ret_bytes)
{
    if (block->bytes && block->address == address && block->count == count) {
        *ret_bytes = block->bytes;
        return mqs_ok;
    }
    object_block_free(block);
    if (count > OBJECT_BLOCK_LIMIT || !target_range_is_possible(target, address, count))
        return MPILENS_ERROR_CORRUPT;
    uint8_t *bytes = allocate_array((size_t)count, 1);
    if (!bytes)
        return MPILENS_ERROR_NO_MEMORY;
    int code = target_read(target, address, (size_t)count, bytes);
    if (code != mqs_ok) {
        release(bytes);
        return code;
    }
    *block = (struct object_block){address, (size_t)count, bytes};
    *ret_bytes = bytes;
    return mqs_ok;
}

void object_block_free(struct object_block *block)
{
    release(block->bytes);
    *block = (struct object_block){0, 0, NULL};
}
