/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the target process. Everything that comes from there is untrusted.
 */
#ifndef MPILENS_DLL_TARGET_TARGET_H
#define MPILENS_DLL_TARGET_TARGET_H

#include "mpilens/extension.h"

struct copy_budget;
struct read_ahead;

struct target {
    mqs_process *process;
    const mqs_process_callbacks *callbacks;
    uint32_t word_size;             /* bytes of a pointer of the target: 4 or 8 */
    const struct read_ahead *ahead; /* what target_read takes from it before it asks the debugger; NULL: none */
    struct copy_budget *budget;     /* of the copy that is being taken */
};

/* Whether [address, address + bytes) can exist in the target: not at 0, not past the end of its address space. */
int target_range_is_possible(const struct target *target, uint64_t address, uint64_t bytes);

/* Copies `bytes` bytes as they stand in the target. mqs_ok, MPILENS_ERROR_UNREADABLE, or MPILENS_ERROR_CORRUPT where
 * the range is not possible; the buffer is then undefined. */
int target_read(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

/* The same of what is kept in a copy, or MPILENS_ERROR_BEYOND_BUDGET: then nothing was read. */
int target_copy(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

/* As target_read, always from the debugger. */
int target_fetch(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

#endif
