/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ending processes of this host for certain: asked first, then killed, those that are stopped or frozen too.
 *
 * A process is known by its pid and its start, and signalled through a pidfd: nobody else who has been given its pid
 * since.
 */
#ifndef MPILENS_INSPECT_MONITOR_PROCESS_END_H
#define MPILENS_INSPECT_MONITOR_PROCESS_END_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct ending_process {
    pid_t pid;
    unsigned long long start; /* as of process_start() */
};

/* Zero-initialised but for the first two is a beginning. */
struct process_end {
    /* Whether the process is to end; never asked of this one. What it reads must allow that it is called anew, see
     * blocked_read_leave_out(). */
    bool (*is_ours)(void *context, pid_t pid);
    void *context;
    struct ending_process *items; /* that were there when they were looked for last */
    size_t count;
};

/* Looks for all of them. Those that were found before and are left stay. */
void process_end_find(struct process_end *end);
/* Whether one of those is left, or, where none is, another that is found now. */
bool process_end_is_left(struct process_end *end);
/* Sends SIGTERM to those that were found, and SIGCONT, so that stopped ones take it. */
void process_end_ask(const struct process_end *end);
/* Sends SIGKILL to all that there are now, and thaws what keeps it from them. */
void process_end_kill(struct process_end *end);
void process_end_clear(struct process_end *end);

/* "4711 (a.out), 4712 (a.out) and 3 more" of those that are left. The caller frees it. */
char *process_end_names(const struct process_end *end);
/* Why the first of those that are left has outlived SIGKILL: "process 4711 (a.out) is left: ..." The caller frees it;
 * NULL: none is. */
char *process_end_explain(struct process_end *end);

#endif
