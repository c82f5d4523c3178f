/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watches reads of other processes.
 */
#include "base/blocked_read.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Which processes have blocked so far: "4711 4712". */
static const char variable[] = "MPILENS_BLOCKED";
enum { MOST_BLOCKED = 64, MOST_LIST = 16 * MOST_BLOCKED, MOST_STATUS = 4096 };

static const long pause_ns = 100L * 1000 * 1000;
enum { PAUSES = 10 }; /* without any progress, until a read counts as one that blocks */

static struct {
    void (*on_block)(pid_t pid);
    pid_t reader;
    sigset_t mask;         /* of the reader */
    _Atomic uint64_t turn; /* odd during a read */
    _Atomic pid_t pid;     /* which process is read */
    int depth;
} watched;

bool blocked_read_is_noted(pid_t pid)
{
    const char *list = getenv(variable);
    for (char *end; list != NULL && *list != '\0'; list = end) {
        if (strtol(list, &end, 10) == pid)
            return true;
        if (end == list)
            return false;
    }
    return false;
}

bool blocked_read_note(pid_t pid)
{
    char list[MOST_LIST];
    const char *before = getenv(variable);
    const int length = before != NULL ? snprintf(list, sizeof list, "%s %ld", before, (long)pid)
                                      : snprintf(list, sizeof list, "%ld", (long)pid);
    return !blocked_read_is_noted(pid) && length < (int)sizeof list && setenv(variable, list, 1) == 0;
}

void blocked_read_begin(pid_t pid)
{
    if (watched.depth++ > 0)
        return;
    atomic_store(&watched.pid, pid);
    atomic_fetch_add(&watched.turn, 1);
}

void blocked_read_end(void)
{
    if (--watched.depth == 0)
        atomic_fetch_add(&watched.turn, 1);
}

/* How often the reader has gone to sleep, if it sleeps now; false: it runs, or lacks a processor. */
static bool reader_sleeps(unsigned long *ret_sleeps)
{
    static const char key[] = "\nvoluntary_ctxt_switches:";
    char path[64], status[MOST_STATUS];
    snprintf(path, sizeof path, "/proc/self/task/%ld/status", (long)watched.reader);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t bytes = file >= 0 ? read(file, status, sizeof status - 1) : -1;
    if (file >= 0)
        close(file);
    status[bytes > 0 ? bytes : 0] = '\0';
    const char *state = strstr(status, "\nState:\t"), *sleeps = strstr(status, key);
    if (state == NULL || sleeps == NULL || strchr("DS", state[strlen("\nState:\t")]) == NULL)
        return false;
    *ret_sleeps = strtoul(sleeps + strlen(key), NULL, 10);
    return true;
}

static void *watch(void *unused)
{
    const struct timespec pause = {.tv_nsec = pause_ns};
    uint64_t turn = 0;
    unsigned long sleeps = 0;
    for (int still = 0;;) {
        nanosleep(&pause, NULL);
        const pid_t pid = atomic_load(&watched.pid);
        const uint64_t turn_before = turn;
        const unsigned long sleeps_before = sleeps;
        turn = atomic_load(&watched.turn);
        const bool is_still = turn % 2 == 1 && turn == turn_before && reader_sleeps(&sleeps) && sleeps == sleeps_before;
        still = is_still ? still + 1 : 0;
        if (still < PAUSES)
            continue;
        pthread_sigmask(SIG_SETMASK, &watched.mask, NULL);
        watched.on_block(pid);
    }
    return unused;
}

void blocked_read_watch(void (*on_block)(pid_t pid))
{
    pthread_t thread;
    sigset_t all;
    watched.on_block = on_block;
    watched.reader = gettid();
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &watched.mask); /* signals are the reader's */
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &watched.mask, NULL);
}
