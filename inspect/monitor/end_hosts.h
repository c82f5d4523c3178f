/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ending the ranks of a guarded job on other hosts, through an engine that runs `mpilens part --end` there
 * (end_here.h).
 */
#ifndef MPILENS_INSPECT_MONITOR_END_HOSTS_H
#define MPILENS_INSPECT_MONITOR_END_HOSTS_H

#include "collect/dll.h"
#include "gather/host_reach.h"
#include "gather/wide_job.h"

#include <stdio.h>

/* Where to end what. Zero-initialised is nowhere. */
struct end_hosts {
    struct wide_job *jobs;
    size_t count;
};

/* Adds the hosts of the job that the process of this host stands for, a rank or the launcher, while it is there. False:
 * none are known, or it runs on this host only. */
bool end_hosts_find(struct end_hosts *hosts, const struct dll *dll, const struct host_reach *reach, pid_t process);
void end_hosts_clear(struct end_hosts *hosts);

struct end_hosts_plan {
    const struct dll *dll;
    const struct host_reach *reach;
    const char *mark;  /* of guard_job.h */
    double patience_s; /* between SIGTERM and SIGKILL */
};

/* How long ending them takes at most. */
double end_hosts_most_s(const struct end_hosts *hosts, const struct end_hosts_plan *plan);
/* Ends the ranks on all of them but this one, and says on which that has failed. */
void end_hosts_run(FILE *stream, const struct end_hosts *hosts, const struct end_hosts_plan *plan);

#endif
