/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Has threads read mappings, which kept_maps.c keeps.
 */
#include "base/base.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Processes per thread at least, the caller included; making a thread takes as long as reading one. */
enum { LEAST_PROCESSES = 8, MOST_THREADS = 4 };

struct maps_ahead {
    pid_t *pids;
    _Atomic size_t left; /* the next one is before it; 0: no more */
    atomic_uint users;   /* the threads and the caller */
};

static void let_go(struct maps_ahead *ahead)
{
    if (atomic_fetch_sub(&ahead->users, 1) > 1)
        return;
    free(ahead->pids);
    free(ahead);
}

/* False: there is none. */
static bool take(struct maps_ahead *ahead, pid_t *ret_pid)
{
    size_t left = atomic_load(&ahead->left);
    while (left > 0)
        if (atomic_compare_exchange_weak(&ahead->left, &left, left - 1)) {
            *ret_pid = ahead->pids[left - 1];
            return true;
        }
    return false;
}

static void ignore(void *context, const struct mapping *mapping)
{
    (void)context;
    (void)mapping;
}

static void *read_ahead(void *argument)
{
    struct maps_ahead *ahead = argument;
    pid_t pid;
    blocked_read_watch_no_more();
    while (take(ahead, &pid))
        kept_maps_visit(pid, ignore, NULL);
    let_go(ahead);
    return NULL;
}

static void start(struct maps_ahead *ahead)
{
    pthread_t thread;
    atomic_fetch_add(&ahead->users, 1);
    if (pthread_create(&thread, NULL, read_ahead, ahead) == 0)
        pthread_detach(thread);
    else
        atomic_fetch_sub(&ahead->users, 1); /* the caller is one */
}

static size_t count_threads(size_t processes)
{
    cpu_set_t processors;
    /* It fails where there are more processors than such a set has room for. */
    const bool is_known = sched_getaffinity(0, sizeof processors, &processors) == 0;
    const size_t most =
        is_known && CPU_COUNT(&processors) < MOST_THREADS ? (size_t)CPU_COUNT(&processors) : MOST_THREADS;
    return processes / LEAST_PROCESSES < most ? processes / LEAST_PROCESSES : most;
}

struct maps_ahead *maps_ahead_begin(const pid_t *pids, size_t count)
{
    const size_t threads = count_threads(count);
    sigset_t all, before;
    if (threads < 2)
        return NULL;
    struct maps_ahead *ahead = allocate(sizeof *ahead);
    ahead->pids = allocate(count * sizeof *ahead->pids);
    memcpy(ahead->pids, pids, count * sizeof *ahead->pids);
    atomic_init(&ahead->left, count);
    atomic_init(&ahead->users, 1);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are the caller's */
    for (size_t i = 1; i < threads; i++)
        start(ahead);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ahead;
}

void maps_ahead_end(struct maps_ahead *ahead)
{
    if (ahead == NULL)
        return;
    atomic_store(&ahead->left, 0);
    let_go(ahead);
}
