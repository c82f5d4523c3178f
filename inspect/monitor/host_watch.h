/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The process that listens to the other hosts of a job for `mpilens guard`: an engine runs a sender of marks on each
 * (mark_sender.h), for as long as this process lives.
 */
#ifndef MPILENS_INSPECT_MONITOR_HOST_WATCH_H
#define MPILENS_INSPECT_MONITOR_HOST_WATCH_H

#include "collect/dll.h"
#include "gather/host_reach.h"
#include "monitor/host_marks.h"

#include <sys/types.h>

struct host_watch_plan {
    const struct dll *dll;
    const struct host_reach *reach;
    pid_t process;                 /* a rank of the job on this host, or its launcher */
    const struct host_marks *lost; /* only the hosts that are lost there are asked; NULL: all but this one */
    double interval_s;             /* between two marks of a host */
};

struct host_watch {
    int process; /* pidfd */
    int pipe;    /* struct host_message, one after the other, without blocking; it ends with the process */
};

/* Starts the process; it ends with this one. 0, or -1 and a reason. */
int host_watch_begin(const struct host_watch_plan *plan, struct host_watch *ret_watch, struct reason *ret_reason);
/* The next message. 1, or 0: none has come yet, or -1: the process has ended. */
int host_watch_read(const struct host_watch *watch, struct host_message *ret_message);
/* Asks the process to end, which takes seconds at most; it is a child of this one, to be waited for. */
void host_watch_end(struct host_watch *watch);

#endif
