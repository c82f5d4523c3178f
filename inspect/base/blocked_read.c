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

/* Which processes have blocked so far, some of them twice: "4711 4712 4711". */
static const char variable[] = "MPILENS_BLOCKED";
enum { MOST_BLOCKED = 64, MOST_LIST = 16 * MOST_BLOCKED, MOST_STATUS = 4096 };

static const long pause_ns = 100L * 1000 * 1000;
/* Without any progress, until a read counts as one that blocks. Who changes mappings of the process locks them, and
 * holds the lock as long as it gets no processor time: on a host with too much to do that is no reason to give up so
 * soon. */
enum { PAUSES = 10, PAUSES_FOR_LOCK = 50 };

static struct {
    void (*on_block)(pid_t pid);
    pid_t reader;
    sigset_t mask;         /* of the reader */
    _Atomic uint64_t turn; /* odd during a read */
    _Atomic pid_t pid;     /* which process is read */
    int depth;
} watched;

static int times_noted(pid_t pid)
{
    const char *list = getenv(variable);
    int times = 0;
    for (char *end; list != NULL && *list != '\0'; list = end) {
        times += strtol(list, &end, 10) == pid;
        if (end == list)
            break;
    }
    return times;
}

bool blocked_read_is_noted(pid_t pid)
{
    return times_noted(pid) > 0;
}

bool blocked_read_is_silent(pid_t pid)
{
    return times_noted(pid) > 1;
}

bool blocked_read_note(pid_t pid)
{
    char list[MOST_LIST];
    const char *before = getenv(variable);
    const int length = before != NULL ? snprintf(list, sizeof list, "%s %ld", before, (long)pid)
                                      : snprintf(list, sizeof list, "%ld", (long)pid);
    return !blocked_read_is_silent(pid) && length < (int)sizeof list && setenv(variable, list, 1) == 0;
}

void blocked_read_forget(void)
{
    unsetenv(variable);
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

/* What the kernel says of the reader, NUL-terminated; "" where it says nothing. */
static void ask_about_reader(const char *name, char *ret_text, size_t bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/%s", (long)watched.reader, name);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, ret_text, bytes - 1) : -1;
    if (file >= 0)
        close(file);
    ret_text[count > 0 ? count : 0] = '\0';
}

/* How often the reader has gone to sleep, if it sleeps now; false: it runs, or lacks a processor. */
static bool reader_sleeps(unsigned long *ret_sleeps)
{
    static const char key[] = "\nvoluntary_ctxt_switches:";
    char status[MOST_STATUS];
    ask_about_reader("status", status, sizeof status);
    const char *state = strstr(status, "\nState:\t"), *sleeps = strstr(status, key);
    if (state == NULL || sleeps == NULL || strchr("DS", state[strlen("\nState:\t")]) == NULL)
        return false;
    *ret_sleeps = strtoul(sleeps + strlen(key), NULL, 10);
    return true;
}

/* Where in the kernel the reader sleeps tells, if the kernel has names of its functions. */
static bool reader_waits_for_lock(void)
{
    char place[128];
    ask_about_reader("wchan", place, sizeof place);
    return strncmp(place, "rwsem_", strlen("rwsem_")) == 0;
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
        if (still < PAUSES || (still < PAUSES_FOR_LOCK && reader_waits_for_lock()))
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
