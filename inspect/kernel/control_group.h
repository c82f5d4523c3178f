/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the control groups of a process hold it back (cgroups(7)).
 */
#ifndef MPILENS_INSPECT_KERNEL_CONTROL_GROUP_H
#define MPILENS_INSPECT_KERNEL_CONTROL_GROUP_H

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

#endif
