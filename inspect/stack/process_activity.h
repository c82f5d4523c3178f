/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether processes compute, sleep or are stopped.
 */
#ifndef MPILENS_INSPECT_STACK_PROCESS_ACTIVITY_H
#define MPILENS_INSPECT_STACK_PROCESS_ACTIVITY_H

#include "base/reason.h"

#include <stdbool.h>
#include <sys/types.h>

enum process_activity {
    ACTIVITY_UNKNOWN, /* as of cores */
    ACTIVITY_COMPUTING,
    ACTIVITY_SLEEPING,
    ACTIVITY_STOPPED, /* by a signal or a debugger */
    ACTIVITY_ENDED,
};

/* What a process is seen to do at one moment. */
struct process_reading {
    double at_s;       /* CLOCK_MONOTONIC */
    double cpu_time_s; /* of all its threads since it began */
    char state;        /* as in ps: R if any thread runs, else that of the process */
};

/* CPU time of all threads of a process on this host since it began, those that have ended included, in seconds. Needs
 * no permission. 0, or -1: it has ended. */
int process_cpu_time(pid_t pid, double *ret_cpu_time_s);
/* 0, or -1 and a reason: it has ended. */
int process_reading_take(pid_t pid, struct process_reading *ret_reading, struct reason *ret_reason);

/* By what was seen last and the CPU time in between, of which more than a hundredth is computing; NULL: nothing was
 * seen before. */
enum process_activity process_activity_between(const struct process_reading *first,
                                               const struct process_reading *second);
/* Whether a process had the chance to go on in between: it sleeps or has ended, or has had CPU time, a millisecond at
 * least. Others kept the processors busy if it had none. */
bool process_has_run(const struct process_reading *first, const struct process_reading *second);
/* The same until now; of a process that runs all the time it is one system call to see. */
bool process_has_run_since(pid_t pid, const struct process_reading *first);
/* By a state as in ps; 0: not known. */
enum process_activity process_activity_of_state(char state);
/* "computing", "sleeping"; "" of ACTIVITY_UNKNOWN. */
const char *describe_activity(enum process_activity activity);

#endif
