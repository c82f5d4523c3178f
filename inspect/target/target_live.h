/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A living process as a target.
 */
#ifndef MPILENS_INSPECT_TARGET_TARGET_LIVE_H
#define MPILENS_INSPECT_TARGET_TARGET_LIVE_H

#include "target/target.h"

/* 0 and a target to be closed, or -1 and a reason. */
int target_open_process(pid_t pid, struct target **ret_target, struct reason *ret_reason);

#endif
