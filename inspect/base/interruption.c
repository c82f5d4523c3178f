/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interrupts system calls that take too long, by a timer.
 */
#include "base/base.h"

#include <stddef.h>

enum { REPEAT_MICROSECONDS = 100000 };

static void do_nothing(int signal)
{
    (void)signal;
}

void interruption_begin(struct interruption *ret_interruption)
{
    const struct sigaction action = {.sa_handler = do_nothing}; /* without SA_RESTART */
    const struct itimerval timer = {.it_interval.tv_usec = REPEAT_MICROSECONDS, .it_value.tv_sec = 1};
    sigset_t alarm;
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    sigaction(SIGALRM, &action, &ret_interruption->action);
    sigprocmask(SIG_UNBLOCK, &alarm, &ret_interruption->mask);
    setitimer(ITIMER_REAL, &timer, &ret_interruption->timer);
}

void interruption_end(const struct interruption *interruption)
{
    setitimer(ITIMER_REAL, &interruption->timer, NULL);
    sigprocmask(SIG_SETMASK, &interruption->mask, NULL);
    sigaction(SIGALRM, &interruption->action, NULL);
}
