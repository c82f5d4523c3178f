/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a process has mapped, line by line: it may have any number of mappings of names of any length.
 */
#ifndef MPILENS_INSPECT_BASE_PROCESS_MAPS_H
#define MPILENS_INSPECT_BASE_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Calls `visit`, unless it is NULL, for each mapping that has a name: a path, or a word such as "[heap]". False: the
 * process has more than any that is to be looked into; the first ones were visited. `proc` as in process_files.h. */
typedef void visit_mapping(void *context, const char *permissions, const char *name);
bool process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context);

#endif
