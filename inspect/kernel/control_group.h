/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the control groups of a process hold it back (cgroups(7)).
 */
#ifndef MPILENS_INSPECT_KERNEL_CONTROL_GROUP_H
#define MPILENS_INSPECT_KERNEL_CONTROL_GROUP_H

#include "base/reason.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct control_group_state {
    bool is_frozen;
    uint64_t throttled_periods; /* so far, in which the group or one above it has used up its CPU time */
    uint64_t killed;            /* processes of the group, so far, for lack of memory */
};

/* Of version 1 and 2, as far as it can be seen. `proc` is "/proc" and `mounts` "/sys/fs/cgroup" but in tests. */
struct control_group_state control_group_read(const char *proc, const char *mounts, pid_t pid);

/* Thaws the groups of version 1 that have frozen the process, for which SIGKILL waits there; version 2 lets it through.
 * A group is thawed only where `is_ours` says so of all processes in it and below. 0: no group of version 1 freezes it
 * now; -1 and a reason: one still does. `proc` and `mounts` as above. */
int control_group_thaw(const char *proc, const char *mounts, pid_t pid, bool (*is_ours)(void *context, pid_t pid),
                       void *context, struct reason *ret_reason);

#endif
