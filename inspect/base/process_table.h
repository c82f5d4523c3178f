/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All processes of the host as they were at one time, and who has started whom.
 */
#ifndef MPILENS_INSPECT_BASE_PROCESS_TABLE_H
#define MPILENS_INSPECT_BASE_PROCESS_TABLE_H

#include "base/process_files.h"

/* Zero-initialised is empty. */
struct process_table {
    struct process_status *items; /* by pid */
    size_t count;
};

/* Without threads of the kernel, as far as they can be told. `proc` as in process_files.h. */
struct process_table process_table_read(const char *proc);
/* Only the process and those above it. */
struct process_table process_table_read_above(const char *proc, pid_t pid);
/* NULL: there was no such process. */
const struct process_status *process_table_find(const struct process_table *table, pid_t pid);
/* Whether `ancestor` stands somewhere above the process. */
bool process_table_has_ancestor(const struct process_table *table, pid_t ancestor, pid_t pid);
void process_table_clear(struct process_table *table);

#endif
