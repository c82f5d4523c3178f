/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The files that a process has open, as the kernel names them.
 */
#ifndef MPILENS_INSPECT_KERNEL_OPEN_DESCRIPTORS_H
#define MPILENS_INSPECT_KERNEL_OPEN_DESCRIPTORS_H

#include <stdint.h>
#include <sys/types.h>

/* One of them; valid during the visit. */
struct open_descriptor {
    int number;
    uint64_t socket;  /* its inode; 0: it is no socket */
    const char *path; /* "/dev/infiniband/uverbs0", "pipe:[4711]": any bytes */
};

/* Calls `visit` for each, but for those beyond a few thousands. `proc` is "/proc" but in tests. 0, or -1: they must not
 * be read, or the process has ended. */
int open_descriptors_visit(const char *proc, pid_t pid,
                           void (*visit)(void *context, const struct open_descriptor *descriptor), void *context);

#endif
