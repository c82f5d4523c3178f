/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What changes in a process that maps something and uses it. Reading the memory of a process changes nothing of it.
 */
#ifndef MPILENS_INSPECT_BASE_PROCESS_FOOTPRINT_H
#define MPILENS_INSPECT_BASE_PROCESS_FOOTPRINT_H

#include <stdbool.h>
#include <sys/types.h>

struct process_footprint {
    unsigned long long start;       /* tells it from others of that number */
    unsigned long long page_faults; /* what is new in its memory is not used without one */
    unsigned long long bytes;       /* that it has mapped */
    unsigned long long code;        /* where its program is loaded; 0, 1: that must not be known */
};

/* False: there is no such process. */
bool process_footprint_read(pid_t pid, struct process_footprint *ret_footprint);
bool process_footprint_is_same(const struct process_footprint *left, const struct process_footprint *right);

#endif
