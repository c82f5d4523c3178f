/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `mpilens guard` does with a job that it has started: lets it be as long as it goes on, and ends it when it does
 * not, or takes too long.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_H
#define MPILENS_INSPECT_MONITOR_GUARD_H

#include "collect/dll.h"
#include "gather/host_reach.h"
#include "monitor/guard_job.h"

struct guard_plan {
    const char *command;  /* as people know it */
    double timeout_s;     /* without progress */
    double interval_s;    /* between two looks, but for the first ones, which are sooner */
    double limit_s;       /* of the whole run; 0: none */
    double kill_after_s;  /* how long each way of ending the job is tried before a harder one */
    const char *snapshot; /* NULL: a name in the current directory */
    mode_t snapshot_mode;
    bool no_snapshot;
    struct host_reach reach; /* of jobs that have ranks on other hosts */
};

/* Until the job has ended. Its exit status, or EXIT_TIMED_OUT where the guard has ended it, or EXIT_FINDING where a
 * rank has ended it and the launcher says that all is good. */
int guard_run(const struct dll *dll, const struct guard_plan *plan, struct guard_job *job);

#endif
