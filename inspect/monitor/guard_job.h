/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The processes that a command has started: starting it, waiting for it, knowing them. They are below this process,
 * also those whose parent has ended, since it adopts them; or they have the mark of the job in their environment, since
 * a launcher that is but a client (srun) hands its environment on to ranks that a daemon starts. Nobody else is ever
 * ended.
 */
#ifndef MPILENS_INSPECT_MONITOR_GUARD_JOB_H
#define MPILENS_INSPECT_MONITOR_GUARD_JOB_H

#include "base/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { GUARD_MARK_BYTES = 48 };

struct guard_job {
    char mark[GUARD_MARK_BYTES]; /* value of MPILENS_GUARD, which no other job has */
    pid_t guard;                 /* the process that has started the job */
    pid_t launcher;
    bool has_ended;      /* the launcher */
    int status;          /* its own, as of waitpid; where it has ended */
    int signals;         /* signalfd of those that are blocked in the guard */
    int asked;           /* signal that asks the job to end and was not passed on yet; 0: none */
    int was_asked;       /* the first such signal that has come; others are passed on when they come; 0: none */
    bool is_of_terminal; /* the signal `asked`, which the launcher then has, too */
    double passed_on_s;  /* CLOCK_MONOTONIC, when the launcher was given the signal `was_asked` */
};

/* Starts the program at `path` in this process's group, with its files and environment. Signals that end or tell
 * something, and are not ignored, are blocked here from now on, and a pipe that nobody reads ends nobody. When this
 * process ends, whatever the reason, the launcher gets SIGTERM. 0, or -1 and a reason. */
int guard_job_start(const char *path, char **command, struct guard_job *ret_job, struct reason *ret_reason);

/* Waits for so long, or until the launcher has ended, `file` (-1: none) is readable, or the first signal has come that
 * asks the job to end: then `asked` is set. Other signals are passed on, but those that the terminal has given to the
 * launcher, too. */
void guard_job_wait(struct guard_job *job, int file, double seconds);
/* Waits for so long, or until something happens. */
void guard_job_pause(struct guard_job *job, double seconds);
/* Passes on the signal `asked`. */
void guard_job_pass_on(struct guard_job *job);
/* Sends the launcher SIGTERM. */
void guard_job_ask(const struct guard_job *job);

/* Whether the process is one of the job, wherever it was started. */
bool guard_job_has(const struct guard_job *job, pid_t pid);
/* Whether it has this mark in its environment. */
bool has_guard_mark(const char *mark, pid_t pid);

#endif
