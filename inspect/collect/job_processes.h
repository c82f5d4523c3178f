/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes of a job on their way into the model.
 */
#ifndef MPILENS_INSPECT_COLLECT_JOB_PROCESSES_H
#define MPILENS_INSPECT_COLLECT_JOB_PROCESSES_H

#include "base/reason.h"
#include "collect/collect.h"
#include "discover/discovery.h"
#include "model/model.h"

/* Append a process that is still to be read; `rank` -1: not known yet. */
struct process *add_process(struct job *job, int rank);
void add_live_process(struct job *job, pid_t pid, int rank);
void add_core(struct job *job, const char *path);

/* Says why the process cannot be read, unless something has said it before. */
void set_unread(struct process *process, const struct reason *reason);

/* Reads all that can be read; with `stop` all live ones are frozen together, so that they are seen at one moment. Ages
 * are those of the moment when reading begins, of all alike. */
void read_processes(const struct dll *dll, struct job *job, bool stop, const struct collect_plan *plan);

/* What follows from the processes together: their order, size and MPI of the job. */
void settle_processes(struct job *job);
/* And what must be found out once only, when all processes are there: unexpected messages, places. */
void complete_job(const struct dll *dll, struct job *job, enum collect_depth depth);

/* Adds the ranks of a job that was found and read that have no process here. */
void add_missing_ranks(const struct found_job *found, struct job *job);

/* Reads a job that was found, and adds the ranks of it that have no process here. The model says why what could not be
 * read could not. */
void read_found_job(const struct dll *dll, const struct found_job *found, bool stop, const struct collect_plan *plan,
                    struct job *ret_job);
/* Likewise, but that the job is not completed: processes of other parts of it may be added. */
void gather_found_job(const struct dll *dll, const struct found_job *found, bool stop, const struct collect_plan *plan,
                      struct job *ret_job);

#endif
