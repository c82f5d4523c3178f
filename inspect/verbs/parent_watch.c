/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ends this process after its parent. The kernel's own signal (PR_SET_PDEATHSIG) comes when the thread that has started
 * it ends, which launchers' threads do.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static void *watch_parent(void *context)
{
    const pid_t parent = (pid_t)(intptr_t)context;
    const struct timespec pause = {.tv_nsec = 500000000};
    while (getppid() == parent)
        nanosleep(&pause, NULL);
    _exit(EXIT_UNREADABLE);
}

void end_with_parent(void)
{
    pthread_t thread;
    sigset_t all, before;
    const pid_t parent = getppid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the main thread */
    if (pthread_create(&thread, NULL, watch_parent, (void *)(intptr_t)parent) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
