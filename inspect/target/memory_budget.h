/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much memory the copy of a process may take.
 */
#ifndef MPILENS_INSPECT_TARGET_MEMORY_BUDGET_H
#define MPILENS_INSPECT_TARGET_MEMORY_BUDGET_H

#include "target/target.h"

#include <stddef.h>

/* In proportion to the memory that the target really has: tables may be said to be of any length where nothing was
 * ever written. SIZE_MAX: no limit, as of a snapshot, which has what was read. */
size_t memory_budget(const struct target *target);

/* What the copies of all processes of a job may take more than that, together. */
enum { MEMORY_BUDGET_OF_JOB = 256 << 20 };

#endif
