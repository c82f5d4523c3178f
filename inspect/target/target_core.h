/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A core file as a target.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_CORE_H
#define MPILENS_INSPECT_TARGET_TARGET_CORE_H

#include "target/target.h"

/* 0 and a target to be closed, or -1 and a reason. */
int target_open_core(const char *path, struct target **ret_target, struct reason *ret_reason);

#endif
