/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A limit for calls of libraries that open files: a system call that still waits after a second is interrupted, and
 * again and again from then on.
 */
#ifndef MPILENS_INSPECT_BASE_INTERRUPTION_H
#define MPILENS_INSPECT_BASE_INTERRUPTION_H

#include <signal.h>
#include <sys/time.h>

struct interruption {
    struct sigaction action;
    struct itimerval timer;
    sigset_t mask;
};

/* Uses SIGALRM. One at a time. */
void interruption_begin(struct interruption *ret_interruption);
void interruption_end(const struct interruption *interruption);

#endif
