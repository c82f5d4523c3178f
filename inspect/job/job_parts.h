/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts the parts of a job together: snapshots of its hosts, core files, live processes. Ranks are known by their number
 * in MPI_COMM_WORLD, never by their pid, which ranks of different hosts may share; clocks of hosts are not compared.
 */
#ifndef MPILENS_INSPECT_JOB_JOB_PARTS_H
#define MPILENS_INSPECT_JOB_JOB_PARTS_H

#include "base/reason.h"
#include "collect/collect.h"
#include "model/model.h"

/* Adds the processes of a part that was not completed, whose names, groups and places stand in the pools of `job`
 * already (zero-initialised but size -1 and those pools, when the first part comes). `name` is what sentences call it.
 * Takes the part, also where it fails. 0, or -1 and what it contradicts in which earlier part. */
int job_add_part(struct job *job, struct job *part, const char *name, struct reason *ret_reason);

/* When all parts were added: of each rank the process that counts stays. A process that was read counts before one that
 * was not; of several that were read, the newer one, which is noted. `is_one_moment`: there was a moment at which all
 * parts were as they were read. */
void job_settle_parts(struct job *job, bool is_one_moment);
/* How often the ranks of the job were read, at least. */
int job_least_samples(const struct job *job);
/* After that: as complete_job, but that the samples are those of the parts. */
void complete_parts(const struct dll *dll, struct job *job, enum collect_depth depth);

#endif
