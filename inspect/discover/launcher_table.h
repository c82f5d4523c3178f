/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a launcher says of the processes that it has launched, on all hosts: MPIR_proctable (The MPIR Process
 * Acquisition Interface, version 1.1, section 6). Launchers that nobody debugs may leave it empty.
 */
#ifndef MPILENS_INSPECT_DISCOVER_LAUNCHER_TABLE_H
#define MPILENS_INSPECT_DISCOVER_LAUNCHER_TABLE_H

#include "target/target.h"

struct launched_process {
    char *host;       /* as the launcher calls it */
    char *executable; /* likewise */
    pid_t pid;        /* on that host */
};

struct launcher_table {
    struct launched_process *items; /* by rank in MPI_COMM_WORLD */
    size_t count;
};

/* False: the launcher has no table, an empty one, or one that makes no sense. */
bool launcher_table_read(struct target *launcher, struct launcher_table *ret_table);
/* Likewise of the process with this pid on this host, and false also where it cannot be read. */
bool launcher_table_of(pid_t launcher, struct launcher_table *ret_table);
/* The job of Slurm in which srun with this pid on this host has started its step, as it tells debuggers
 * (totalview_jobid). The caller frees it; NULL: the process says none, and is probably no srun. */
char *launcher_job_of(pid_t launcher);
void launcher_table_clear(struct launcher_table *table);

/* Whether both are names of one host, one of them perhaps with its domain. */
bool is_same_host(const char *left, const char *right);

#endif
