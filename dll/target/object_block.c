/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fetches and keeps one piece of memory of the target for the current object.
 */
#include "target/target.h"

/* Nonsense sizes are found out before much is read. */
static const size_t piece_bytes = (size_t)1 << 20;

int object_block_read(struct object_block *block, const struct target *target, uint64_t address, uint64_t count,
                      const uint8_t **ret_bytes)
{
    if ((block->bytes != NULL || block->code != mqs_ok) && block->address == address && block->count == count) {
        if (block->bytes != NULL)
            *ret_bytes = block->bytes;
        return block->code;
    }
    object_block_free(block);
    if (count > MOST_OBJECT_BLOCK_BYTES || !target_range_is_possible(target, address, count))
        return MPILENS_ERROR_CORRUPT;
    uint8_t *bytes = allocate_array((size_t)count, 1);
    if (bytes == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    int code = mqs_ok;
    for (size_t done = 0; code == mqs_ok && done < count; done += piece_bytes)
        code = target_read(target, address + done, count - done < piece_bytes ? (size_t)count - done : piece_bytes,
                           bytes + done);
    if (code != mqs_ok) {
        release(bytes);
        *block = (struct object_block){address, (size_t)count, NULL, code};
        return code;
    }
    *block = (struct object_block){address, (size_t)count, bytes, mqs_ok};
    *ret_bytes = bytes;
    return mqs_ok;
}

void object_block_free(struct object_block *block)
{
    release(block->bytes);
    *block = (struct object_block){0, 0, NULL, mqs_ok};
}
