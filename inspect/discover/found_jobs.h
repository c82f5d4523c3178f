/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of jobs that were found.
 */
#ifndef MPILENS_INSPECT_DISCOVER_FOUND_JOBS_H
#define MPILENS_INSPECT_DISCOVER_FOUND_JOBS_H

#include "discover/discovery.h"

/* Whether both are of the same MPI_COMM_WORLD of the same launcher. */
bool is_same_world(const struct found_rank *left, const struct found_rank *right);

/* A process of it whose pid stands for the job: the launcher, but of several worlds of one launcher only for one. */
pid_t found_job_pid(const struct found_job *job);
/* Moves the ranks of the other one into the job; of the other one nothing is left. */
void found_job_join(struct found_job *job, struct found_job *other);
void found_jobs_clear(struct found_jobs *jobs);

/* For discovery.c only. */
void found_rank_clear(struct found_rank *rank);
/* What follows from the ranks of each job, and all in order. */
void found_jobs_finish(struct found_jobs *jobs);

#endif
