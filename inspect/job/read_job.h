/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From what the user named (a pid of a rank or launcher, core files, snapshots, or nothing) to the model of a job.
 */
#ifndef MPILENS_INSPECT_JOB_READ_JOB_H
#define MPILENS_INSPECT_JOB_READ_JOB_H

#include "base/exit_status.h"
#include "collect/collect.h"
#include "model/model.h"

struct job_request {
    char **targets; /* pids, paths of core files and of snapshots; several snapshots are parts of one job; none: the
                     * only job of this user on this host */
    size_t target_count;
    const char *identity; /* of the job, instead of targets: its ranks on this host; NULL: targets */
    bool stop;            /* freeze the processes while they are read */
    bool stacks;          /* of all threads are wanted, in MPI too */
    bool stacks_suffice;  /* processes that lack tables are enough: their stacks tell something */
    struct collect_plan plan;
};

/* EXIT_GOOD and a job to be cleared, of which at least one process was read (or lacks tables, where stacks suffice); or
 * EXIT_USAGE or EXIT_UNREADABLE and a reason, of several lines where jobs are listed. */
enum exit_status read_job(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                          struct reason *ret_reason);

#endif
