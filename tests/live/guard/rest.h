/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait in MPI, and do not spin there all the time.
 */
#ifndef TESTS_REST_H
#define TESTS_REST_H

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static long rested_ms;

static inline void rest(int number)
{
    (void)number;
    nanosleep(&(struct timespec){.tv_nsec = rested_ms * 1000000}, NULL);
}

/* The thread rests that long, less than a second, whenever it has computed for a while. */
static inline void rest_often(long milliseconds)
{
    const struct timespec computed = {.tv_nsec = 2000000};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN + 5};
    timer_t timer;
    rested_ms = milliseconds;
    event.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    if (sigaction(event.sigev_signo, &(struct sigaction){.sa_handler = rest, .sa_flags = SA_RESTART}, NULL) != 0 ||
        timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0 ||
        timer_settime(timer, 0, &(struct itimerspec){.it_interval = computed, .it_value = computed}, NULL) != 0)
        abort();
}

#endif
