/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watches reads of other processes.
 */
#include "base/blocked_read.h"

#include "base/allocation.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
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

static const long pause_ns = 100L * 1000 * 1000, second_ns = 1000L * 1000 * 1000;
/* Without any progress, until a read counts as one that blocks. Who changes mappings of the process locks them, and
 * holds the lock as long as it gets no processor time: on a host with too much to do that is no reason to give up so
 * soon. */
enum { PAUSES = 10, PAUSES_FOR_LOCK = 50 };

/* What a thread brings upon itself. */
static const int own_signals[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};

static struct {
    _Atomic(void (*)(pid_t pid)) on_block; /* NULL: nobody wants to know */
    _Atomic pid_t reader;
    sigset_t mask;         /* of the reader */
    _Atomic uint64_t turn; /* odd during a read */
    _Atomic pid_t pid;     /* which process is read */
} watched;

static _Atomic unsigned left;

/* Of the thread. */
static _Thread_local int depth;
static _Thread_local uint64_t own_turn;
static _Thread_local bool may_be_left;
static _Thread_local bool is_not_watched;

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

void blocked_read_watch_no_more(void)
{
    is_not_watched = true;
}

void blocked_read_begin(pid_t pid)
{
    if (is_not_watched || depth++ > 0)
        return;
    atomic_store(&watched.pid, pid);
    own_turn = atomic_fetch_add(&watched.turn, 1) + 1;
}

void blocked_read_end(void)
{
    if (is_not_watched || --depth > 0 || atomic_compare_exchange_strong(&watched.turn, &own_turn, own_turn + 1) ||
        !may_be_left)
        return;
    for (;;) /* others have gone on without this thread */
        pause();
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

/* What was seen of the reader so far. */
struct sight {
    uint64_t turn;
    unsigned long sleeps;
    int still; /* looks in which nothing has changed */
};

/* One look, after a pause. Whether a read stands still. */
static bool stands_still(struct sight *seen)
{
    const struct sight before = *seen;
    seen->turn = atomic_load(&watched.turn);
    const bool is_still = seen->turn % 2 == 1 && seen->turn == before.turn && reader_sleeps(&seen->sleeps) &&
                          seen->sleeps == before.sleeps;
    seen->still = is_still ? before.still + 1 : 0;
    return seen->still >= PAUSES && (seen->still >= PAUSES_FOR_LOCK || !reader_waits_for_lock());
}

static void *watch(void *unused)
{
    const struct timespec pause = {.tv_nsec = pause_ns};
    struct sight seen = {0};
    for (;;) {
        nanosleep(&pause, NULL);
        const pid_t pid = atomic_load(&watched.pid);
        void (*const on_block)(pid_t pid) = atomic_load(&watched.on_block);
        if (on_block == NULL)
            return unused;
        if (!stands_still(&seen))
            continue;
        pthread_sigmask(SIG_SETMASK, &watched.mask, NULL);
        on_block(pid);
    }
}

void blocked_read_watch(void (*on_block)(pid_t pid))
{
    pthread_t thread;
    sigset_t all;
    atomic_store(&watched.on_block, on_block);
    atomic_store(&watched.reader, gettid());
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &watched.mask); /* signals are the reader's */
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &watched.mask, NULL);
}

struct attempt {
    void (*function)(void *context);
    void *context;
    sem_t begun, done;
};

static void *attempt(void *argument)
{
    struct attempt *own = argument;
    may_be_left = true;
    atomic_store(&watched.reader, gettid());
    sem_post(&own->begun);
    own->function(own->context);
    sem_post(&own->done);
    return NULL;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        continue;
}

/* False: the thread is left behind, and uses the attempt for ever. */
static bool is_done(struct attempt *own)
{
    struct sight seen = {0};
    for (;;) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += pause_ns;
        until.tv_sec += until.tv_nsec / second_ns;
        until.tv_nsec %= second_ns;
        if (sem_clockwait(&own->done, CLOCK_MONOTONIC, &until) == 0)
            return true;
        if (errno == ETIMEDOUT && stands_still(&seen) &&
            atomic_compare_exchange_strong(&watched.turn, &seen.turn, seen.turn + 1))
            return false;
    }
}

unsigned blocked_read_count_left(void)
{
    return atomic_load(&left);
}

/* With the signals blocked that do not come of what a thread does. */
static bool start(struct attempt *own, pthread_t *ret_thread)
{
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own_signals / sizeof *own_signals; i++)
        sigdelset(&others, own_signals[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    const bool is_started = pthread_create(ret_thread, NULL, attempt, own) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

bool blocked_read_leave_out(void (*function)(void *context), void *context)
{
    atomic_store(&watched.on_block, NULL);
    for (;;) {
        struct attempt *own = allocate(sizeof *own);
        pthread_t thread;
        own->function = function;
        own->context = context;
        sem_init(&own->begun, 0, 0);
        sem_init(&own->done, 0, 0);
        if (!start(own, &thread)) {
            free(own);
            return false;
        }
        wait_for(&own->begun);
        if (is_done(own)) {
            pthread_join(thread, NULL);
            free(own);
            return true;
        }
        pthread_detach(thread);
        atomic_fetch_add(&left, 1);
        if (!blocked_read_note(atomic_load(&watched.pid)))
            return false;
    }
}
