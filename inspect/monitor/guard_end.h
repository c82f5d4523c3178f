/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How `mpilens guard` ends a job, whatever its processes do about it: first the launcher is asked, then all processes
 * on all hosts, then they are killed, with the same patience in between.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_END_H
#define MPILENS_INSPECT_MONITOR_GUARD_END_H

#include "monitor/end_hosts.h"
#include "monitor/guard_job.h"

struct guard_end_plan {
    const struct dll *dll;
    const struct host_reach *reach;
    const struct end_hosts *hosts; /* on which the job has ranks besides */
    const char *command;           /* as people know it */
    double patience_s;
};

/* Returns when nothing of the job is left, or what is left cannot be ended, which is told. `asked_s`: CLOCK_MONOTONIC,
 * when the launcher was asked to end by a signal; -1: it was not. Whether that was enough on this host. */
bool guard_end(struct guard_job *job, const struct guard_end_plan *plan, double asked_s);

#endif
