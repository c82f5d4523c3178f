/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What one thread of a process of this host does, as the kernel sees it.
 */
#ifndef MPILENS_INSPECT_KERNEL_THREAD_STATE_H
#define MPILENS_INSPECT_KERNEL_THREAD_STATE_H

#include <stdbool.h>
#include <sys/types.h>

/* How long a thread had a processor and waited for one since it began. The kernel adds the current wait when it ends.
 */
struct thread_times {
    double run_s; /* -1: not known, as the next */
    double waited_s;
};

struct thread_state {
    char state; /* as in ps: R, S, D, T, t, ... */
    struct thread_times times;
    char system_call[32];     /* that it is in: "poll", "system call 321"; "": in none, or not known */
    int descriptor;           /* that this call reads from; -1: it is none that reads, or not known */
    char kernel_function[64]; /* in which it sleeps: "do_epoll_wait"; "": it does not sleep, or that is not known */
};

/* `proc` is "/proc" but in tests. False: there is no such thread. */
bool thread_state_read(const char *proc, pid_t pid, pid_t thread, struct thread_state *ret_state);
/* Only the times, and the state: '\0' where there is no such thread. */
struct thread_times thread_times_read(const char *proc, pid_t pid, pid_t thread, char *ret_state);

#endif
