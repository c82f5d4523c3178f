/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ranks on other hosts of the jobs that `mpilens guard` has started: for each job a process listens to its hosts
 * (host_watch.h), and another one to those that were lost and may come back.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_HOSTS_H
#define MPILENS_INSPECT_MONITOR_GUARD_HOSTS_H

#include "monitor/host_marks.h"
#include "monitor/host_watch.h"

enum { WATCHES_OF_JOB = 2 };

/* A job with ranks on other hosts. */
struct watched_job {
    char *identity; /* NULL: only its launcher is known */
    pid_t process;  /* a rank on this host, or the launcher */
    struct host_marks marks;
    struct host_watch watches[WATCHES_OF_JOB]; /* the first one, of all hosts; of those that were lost */
    bool is_running[WATCHES_OF_JOB];
    double next_s, pause_s; /* when hosts are asked again, and how long after that */
    bool is_here;           /* it was seen in the last look at this host */
};

struct guard_hosts {
    const struct dll *dll;
    const struct host_reach *reach;
    double interval_s;
    double timeout_s; /* of the guard */
    struct watched_job *jobs;
    size_t job_count;
};

/* In every look at this host: first this, then the jobs of which ranks are missing here, then what other hosts have
 * said since. */
void guard_hosts_begin_look(struct guard_hosts *hosts);
/* `identity` NULL: the process is a launcher that has no rank here. */
void guard_hosts_note(struct guard_hosts *hosts, const char *identity, pid_t process);
void guard_hosts_end_look(struct guard_hosts *hosts);

/* Ranks on other hosts that could be read. */
size_t guard_hosts_count_ranks(const struct guard_hosts *hosts);
/* Whether hosts have been asked of which nothing is known yet. */
bool guard_hosts_is_waiting(const struct guard_hosts *hosts);
/* For how long all hosts have stood still. `own`: the span in which this one did, *own NULL: no rank of it could be
 * read. 0: that is not known yet. */
double guard_hosts_quiet_time(const struct guard_hosts *hosts, const struct quiet_span *own);
/* The next host that does not answer, of which nobody was told before; it is told now. NULL: there is none. */
const struct marked_host *guard_hosts_next_lost(struct guard_hosts *hosts);

/* Returns when what listens has ended, within seconds. */
void guard_hosts_clear(struct guard_hosts *hosts);

#endif
