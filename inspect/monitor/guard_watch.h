/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What `mpilens guard` reads of the MPI jobs that its command has started: looks at them while they run, the verdict at
 * the end.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_WATCH_H
#define MPILENS_INSPECT_MONITOR_GUARD_WATCH_H

#include "collect/dll.h"
#include "gather/host_reach.h"
#include "monitor/guard_deaths.h"
#include "monitor/guard_hosts.h"
#include "monitor/guard_job.h"
#include "monitor/guard_progress.h"

#include <stdio.h>

/* All of them at one moment. Zero-initialised is empty. */
struct guard_look {
    struct guard_reading reading;
    struct job *jobs;
    size_t job_count;
};

/* Reads all of them; no process in the reading: none that could be read, and *ret_reason, if there is any, says why.
 * The end of those that could be read is noticed from now on. Jobs with ranks elsewhere are noted in `hosts` (NULL: in
 * none). */
void guard_watch_read(const struct dll *dll, const struct guard_job *guarded, struct guard_deaths *deaths,
                      struct guard_hosts *hosts, struct guard_look *ret_look, struct reason *ret_reason);
/* The launcher of a job that has no rank on this host; 0: there is none. */
pid_t guard_watch_find_launcher(const struct guard_job *guarded);
/* Whether the process could be read. */
bool guard_look_has(const struct guard_look *look, pid_t pid);
void guard_look_clear(struct guard_look *look);

struct guard_verdict {
    double patience_s;    /* ranks may wait so long for one that is not in MPI, if that is shorter than the usual */
    const char *snapshot; /* file of the first job; that with ".2", ".3" of others; NULL: none */
    mode_t snapshot_mode;
    const struct host_reach *reach;
};

/* The verdict on each of them, on all its hosts, as text, and their snapshots; what the ranks do where none is at
 * fault. False: there is none of which anything is known. */
bool guard_watch_judge(FILE *stream, const struct dll *dll, const struct guard_job *guarded,
                       const struct guard_verdict *verdict);

#endif
