/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of the runtime's memory for what belongs to one record and has no fixed size: small ones share pages.
 */
#ifndef MPILENS_RUNTIME_MEMORY_BLOCK_H
#define MPILENS_RUNTIME_MEMORY_BLOCK_H

#include <stddef.h>

/* At least `bytes` (more than 0), aligned for any integer, with whatever was there before. NULL: no memory. */
void *block_take(size_t bytes);

/* Gives it back; `bytes` as it was asked for. NULL is fine. Readers may still look at it. */
void block_give_back(void *block, size_t bytes);

/* How many bytes a block really has that was taken for `bytes`: all of them are one's own. 0 of 0. */
size_t block_room(size_t bytes);

#endif
