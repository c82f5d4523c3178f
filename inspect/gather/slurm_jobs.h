/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What Slurm says of jobs (squeue), on a login node too.
 */
#ifndef MPILENS_INSPECT_GATHER_SLURM_JOBS_H
#define MPILENS_INSPECT_GATHER_SLURM_JOBS_H

#include "base/reason.h"
#include "engine/job_hosts.h"

/* The only job of this user that runs, with its hosts; nothing where there is no Slurm, no job, or several. */
void slurm_find_only_job(struct job_hosts *hosts);
/* What is known of a job, to be cleared. 0, or -1 and a reason. */
int slurm_find_job(const char *job, struct job_hosts *ret_hosts, struct reason *ret_reason);

#endif
