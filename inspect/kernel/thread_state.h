/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one thread of a process of this host does, as the kernel sees it.
 */
#ifndef MPILENS_INSPECT_KERNEL_THREAD_STATE_H
#define MPILENS_INSPECT_KERNEL_THREAD_STATE_H

#include <stdbool.h>
#include <sys/types.h>

struct thread_state {
    char state;               /* as in ps: R, S, D, T, t, ... */
    double run_s;             /* CPU time since it began; -1: not known */
    double waited_s;          /* likewise, how long it waited for a processor */
    char system_call[32];     /* that it is in: "poll", "system call 321"; "": in none, or not known */
    int descriptor;           /* that this call reads from; -1: it is none that reads, or not known */
    char kernel_function[64]; /* in which it sleeps: "do_epoll_wait"; "": it does not sleep, or that is not known */
};

/* `proc` is "/proc" but in tests. False: there is no such thread. */
bool thread_state_read(const char *proc, pid_t pid, pid_t thread, struct thread_state *ret_state);

#endif
