/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stopping processes while they are read. Through ptrace without signals: whatever happens to this command, the kernel
 * lets them run on; one that was stopped before stays stopped.
 */
#ifndef MPILENS_INSPECT_TARGET_FREEZE_H
#define MPILENS_INSPECT_TARGET_FREEZE_H

#include "base/reason.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Zero-initialised is "nothing is frozen". */
struct freeze {
    struct frozen_thread {
        pid_t thread;
        bool stopped;
        bool is_given_up; /* it has not stopped for so long that it is not waited for again */
        int signal;       /* that arrived together with the stop, 0: none */
    } * threads;
    size_t count;
};

/* The name of a thread (PR_SET_NAME) that traces a process until that ends: nobody waits for its turn to be over. */
#define FREEZE_WATCHER "mpilens run"

/* How long other readers, processes of the same program, may hold a process, one after the other. */
extern int freeze_turn_ms;

/* Stops all threads of the process and returns when they stand still. 0, or -1 and a reason; then it runs. All calls
 * for one freeze must come from the same thread. */
int freeze_process(pid_t pid, struct freeze *freeze, struct reason *ret_reason);
/* The same in two steps, for several processes: begin all, then finish each. They stop at the same time, and the
 * slowest is waited for, not one after the other. */
int freeze_begin(pid_t pid, struct freeze *freeze, struct reason *ret_reason);
int freeze_finish(pid_t pid, struct freeze *freeze, struct reason *ret_reason);
void freeze_release(struct freeze *freeze);

#endif
