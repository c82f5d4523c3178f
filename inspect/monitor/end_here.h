/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The other end of `mpilens guard` on a host that it does not run on, when the job is to end: ends its processes there.
 *
 * They are the ranks with the identity of the job, what these have started, the daemon of the launcher above them where
 * it serves this job only, and processes with the guard's mark in their environment, which some launchers hand on.
 */
#ifndef MPILENS_INSPECT_MONITOR_END_HERE_H
#define MPILENS_INSPECT_MONITOR_END_HERE_H

#include "base/reason.h"
#include "collect/dll.h"

struct end_here_plan {
    const char *identity; /* of the job; NULL: not known */
    const char *mark;     /* of the guard, as in guard_job.h; NULL: not known */
    double patience_s;    /* between SIGTERM and SIGKILL */
};

/* How long that takes at most. */
double end_here_most_s(double patience_s);
/* 0, or -1 and a reason: something is left. */
int end_here(const struct dll *dll, const struct end_here_plan *plan, struct reason *ret_reason);

#endif
