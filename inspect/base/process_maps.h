/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a process has mapped, line by line: it may have any number of mappings of names of any length.
 */
#ifndef MPILENS_INSPECT_BASE_PROCESS_MAPS_H
#define MPILENS_INSPECT_BASE_PROCESS_MAPS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A line of it, see proc(5). Valid during the call. */
struct mapping {
    uint64_t start;
    uint64_t end;
    const char *permissions; /* "r-xp" */
    unsigned device_major;
    unsigned device_minor;
    uint64_t inode;
    const char *name; /* a path, or a word such as "[heap]" */
};

/* Calls `visit` for each mapping that has a name, by address. 0, or E2BIG: the process has more than any that is to be
 * looked into, and the first ones were visited; or the error of open(2) or read(2): ESRCH, ENOENT: it is gone. A
 * process whose mappings are best left alone (blocked_read_is_silent()) has none. `proc` as in process_files.h. */
typedef void visit_mapping(void *context, const struct mapping *mapping);
int process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context);

#endif
