/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads memory of the target, from what was fetched ahead where that has it.
 */
#ifndef MPILENS_DLL_TARGET_TARGET_READ_H
#define MPILENS_DLL_TARGET_TARGET_READ_H

#include "target/target.h"

/* As target_fetch. */
int target_read(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

/* The same of what is kept in a copy, or MPILENS_ERROR_BEYOND_BUDGET: then nothing was read. */
int target_copy(const struct target *target, uint64_t address, size_t bytes, void *ret_bytes);

#endif
