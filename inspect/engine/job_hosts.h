/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The hosts of a job, by what its launcher and its ranks on this host say: the launcher's table (MPIR_proctable),
 * Slurm, the node list that Open MPI gives its daemons, the ssh processes that the launcher has started, or the words
 * of its command line. Nothing of that is believed to be more than a name.
 */
#ifndef MPILENS_INSPECT_ENGINE_JOB_HOSTS_H
#define MPILENS_INSPECT_ENGINE_JOB_HOSTS_H

#include "engine/host_list.h"

#include <sys/types.h>

/* Zero-initialised: nothing is known. */
struct job_hosts {
    struct host_list hosts; /* none: not known here */
    char *slurm_job;        /* its number; NULL: it is no job of Slurm */
    int slurm_components;   /* of a heterogeneous one; 0: it is none */
    char *launcher_host;    /* where more is known: the launcher runs there, not here; NULL: not known, or here */
};

/* Of a job of which `rank` (0: none) and `launcher` (0: none) are processes of this host. `proc` is "/proc" but in
 * tests. */
struct job_hosts job_hosts_find(const char *proc, pid_t rank, pid_t launcher);
void job_hosts_clear(struct job_hosts *hosts);

/* Whether this is the number of a job of Slurm, "8", or of an array or heterogeneous one, "8_3", "8+1". */
bool is_slurm_job(const char *text);

/* For tests: the host that the command line of ssh or rsh names, NUL-terminated words of `bytes` bytes. NULL: none. */
const char *find_ssh_host(const char *command, size_t bytes);

#endif
