/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the target that the current object refers to, fetched when it is asked for and kept as long as the object
 * is the current one: the last piece that was asked for.
 */
#ifndef MPILENS_DLL_TARGET_OBJECT_BLOCK_H
#define MPILENS_DLL_TARGET_OBJECT_BLOCK_H

#include <stddef.h>
#include <stdint.h>

struct target;

/* Zero-initialised: none. */
struct object_block {
    uint64_t address;
    size_t count; /* bytes */
    uint8_t *bytes;
    int code; /* where there are none: why, not to be tried again; mqs_ok: nothing was asked for */
};

/* More than this is not believed. */
#define MOST_OBJECT_BLOCK_BYTES (UINT64_C(1) << 26)

/* The `count` bytes at `address`, valid until the next call. mqs_ok, MPILENS_ERROR_CORRUPT, _UNREADABLE or _NO_MEMORY.
 */
int object_block_read(struct object_block *block, const struct target *target, uint64_t address, uint64_t count,
                      const uint8_t **ret_bytes);

void object_block_free(struct object_block *block);

#endif
