/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Watches reads of other processes.
 */
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
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

/* Which processes have blocked so far, when they were started, and how often: "4711.81234.2 4712.90001.1". */
static const char variable[] = "MPILENS_BLOCKED";
/* Notes of processes that no longer exist are dropped. */
enum { MOST_BLOCKED = 4096, MOST_MARK_LETTERS = 48, MOST_STATUS = 4096, MOST_DOUBLINGS = 12, SILENT_TIMES = 2 };

static const long pause_ns = 100L * 1000 * 1000, second_ns = 1000L * 1000 * 1000;
/* Pauses without any progress until a read counts as blocked. A thread that changes mappings locks them, and holds the
 * lock while it gets no processor time: on a busy host, that is no reason to give up so soon. Where more threads than
 * CROWD_PER_PROCESSOR want each processor, any wait may be for one of them. */
enum { PAUSES = 10, PAUSES_FOR_LOCK = 50, CROWD_PER_PROCESSOR = 8 };

/* Signals that a thread causes itself. */
static const int own_signals[] = {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGABRT};

/* The present read of a thread. */
struct reads {
    _Atomic pid_t reader;
    _Atomic uint64_t turn; /* odd during a read */
    _Atomic pid_t pid;     /* which process is read */
};

static struct {
    _Atomic(void (*)(pid_t pid)) on_block; /* NULL: nobody wants to know */
    sigset_t mask;                         /* of the reader */
    struct reads reads;
} watched;

static _Atomic unsigned left;

/* A process that has blocked. One that has answered since, if late, may be read again after a while, which is longer
 * each time. */
struct mark {
    pid_t pid;
    unsigned long long start; /* tells it from others of that number */
    unsigned times;
    unsigned doublings; /* of the time after which it may be read again */
    double forgotten_s; /* INFINITY: not before it has answered */
};

static struct {
    pthread_mutex_t mutex;
    struct mark *items;
    size_t count;
    size_t next_sweep; /* at this number, marks of processes that are gone are dropped */
    bool are_taken_over;
} marks = {.mutex = PTHREAD_MUTEX_INITIALIZER};

struct attempt {
    void (*function)(void *context);
    void *context;
    void (*discard)(void *context); /* discards a late result; NULL: others own the context */
    struct reads *reads;
    struct reads own_reads;
    sem_t begun, done;
    struct arena arena;
};

/* The state of this thread. */
static _Thread_local int depth;
static _Thread_local uint64_t own_turn;
static _Thread_local pid_t own_pid;
static _Thread_local struct attempt *own_attempt; /* NULL: it is not to be left behind */
static _Thread_local bool is_not_watched;

static struct mark *find_mark(pid_t pid, unsigned long long start)
{
    for (size_t i = 0; i < marks.count; i++)
        if (marks.items[i].pid == pid && marks.items[i].start == start)
            return &marks.items[i];
    return NULL;
}

static bool has_mark(pid_t pid)
{
    for (size_t i = 0; i < marks.count; i++)
        if (marks.items[i].pid == pid)
            return true;
    return false;
}

static void sweep_marks(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < marks.count; i++)
        if (marks.items[i].start != 0 && process_start("/proc", marks.items[i].pid) == marks.items[i].start)
            marks.items[kept++] = marks.items[i];
    marks.count = kept;
    marks.next_sweep = 2 * kept + 16;
}

/* NULL: there are too many. */
static struct mark *add_mark(pid_t pid, unsigned long long start)
{
    if (marks.count >= marks.next_sweep || marks.count >= MOST_BLOCKED)
        sweep_marks();
    if (marks.count >= MOST_BLOCKED)
        return NULL;
    marks.items = array_append(marks.items, &marks.count, sizeof *marks.items);
    struct mark *mark = &marks.items[marks.count - 1];
    *mark = (struct mark){.pid = pid, .start = start, .forgotten_s = INFINITY};
    return mark;
}

/* Takes over the marks of the program that this process executed before. */
static void take_over(void)
{
    const char *list = marks.are_taken_over ? NULL : getenv(variable);
    marks.are_taken_over = true;
    for (int length; list != NULL; list += length) {
        long pid;
        unsigned long long start;
        unsigned times;
        length = 0;
        if (sscanf(list, "%ld.%llu.%u%n", &pid, &start, &times, &length) != 3 || length == 0)
            break;
        struct mark *mark = find_mark((pid_t)pid, start) == NULL ? add_mark((pid_t)pid, start) : NULL;
        if (mark == NULL)
            break;
        mark->times = times;
        mark->forgotten_s = monotonic_s() + BLOCKED_READ_MARK_S;
    }
}

static unsigned times_noted(pid_t pid)
{
    pthread_mutex_lock(&marks.mutex);
    take_over();
    const struct mark *mark = has_mark(pid) ? find_mark(pid, process_start("/proc", pid)) : NULL;
    const unsigned times = mark != NULL && monotonic_s() < mark->forgotten_s ? mark->times : 0;
    pthread_mutex_unlock(&marks.mutex);
    return times;
}

bool blocked_read_is_noted(pid_t pid)
{
    return times_noted(pid) > 0;
}

bool blocked_read_is_silent(pid_t pid)
{
    return times_noted(pid) >= SILENT_TIMES;
}

bool blocked_read_note(pid_t pid)
{
    const unsigned long long start = process_start("/proc", pid);
    pthread_mutex_lock(&marks.mutex);
    take_over();
    struct mark *mark = find_mark(pid, start);
    if (mark != NULL && monotonic_s() >= mark->forgotten_s) {
        mark->times = 0;
        mark->forgotten_s = INFINITY;
        mark->doublings += mark->doublings < MOST_DOUBLINGS;
    } else if (mark == NULL) {
        mark = add_mark(pid, start);
    }
    const bool is_new = mark != NULL && mark->times < SILENT_TIMES;
    if (is_new)
        mark->times++;
    pthread_mutex_unlock(&marks.mutex);
    return is_new;
}

/* The process is not asked: while its read lasted, it may have ended. */
static void note_answer(pid_t pid)
{
    pthread_mutex_lock(&marks.mutex);
    for (size_t i = 0; i < marks.count; i++)
        if (marks.items[i].pid == pid)
            marks.items[i].forgotten_s = monotonic_s() + BLOCKED_READ_MARK_S * (double)(1U << marks.items[i].doublings);
    pthread_mutex_unlock(&marks.mutex);
}

size_t blocked_read_count_noted(void)
{
    pthread_mutex_lock(&marks.mutex);
    const size_t count = marks.count;
    pthread_mutex_unlock(&marks.mutex);
    return count;
}

bool blocked_read_hand_on(void)
{
    pthread_mutex_lock(&marks.mutex);
    char *list = allocate(marks.count * MOST_MARK_LETTERS + 1);
    size_t length = 0;
    for (size_t i = 0; i < marks.count; i++)
        length += (size_t)snprintf(list + length, MOST_MARK_LETTERS, "%ld.%llu.%u ", (long)marks.items[i].pid,
                                   marks.items[i].start, marks.items[i].times);
    pthread_mutex_unlock(&marks.mutex);
    const bool is_set = setenv(variable, list, 1) == 0;
    free(list);
    return is_set;
}

void blocked_read_forget(void)
{
    pthread_mutex_lock(&marks.mutex);
    marks.are_taken_over = true;
    marks.count = 0;
    pthread_mutex_unlock(&marks.mutex);
}

void blocked_read_watch_no_more(void)
{
    is_not_watched = true;
}

void blocked_read_begin(pid_t pid)
{
    if (is_not_watched || depth++ > 0)
        return;
    struct reads *reads = own_attempt != NULL ? own_attempt->reads : &watched.reads;
    own_pid = pid;
    atomic_store(&reads->pid, pid);
    own_turn = atomic_fetch_add(&reads->turn, 1) + 1;
}

/* False: others have gone on without this thread. */
static bool has_ended_in_time(void)
{
    struct reads *reads = own_attempt != NULL ? own_attempt->reads : &watched.reads;
    return atomic_compare_exchange_strong(&reads->turn, &own_turn, own_turn + 1) || own_attempt == NULL;
}

void blocked_read_end(void)
{
    if (is_not_watched || --depth > 0 || has_ended_in_time())
        return;
    note_answer(own_pid);
    free(own_attempt);
    pthread_exit(NULL);
}

/* The kernel's text, NUL-terminated; "": none. */
static void ask_kernel(const char *path, char *ret_text, size_t bytes)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t count = file >= 0 ? read(file, ret_text, bytes - 1) : -1;
    if (file >= 0)
        close(file);
    ret_text[count > 0 ? count : 0] = '\0';
}

static void ask_about(pid_t reader, const char *name, char *ret_text, size_t bytes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/%s", (long)reader, name);
    ask_kernel(path, ret_text, bytes);
}

/* How often the reader has gone to sleep, if it sleeps now; false: it runs, or lacks a processor. */
static bool sleeps(pid_t reader, unsigned long *ret_sleeps)
{
    static const char key[] = "\nvoluntary_ctxt_switches:";
    char status[MOST_STATUS];
    ask_about(reader, "status", status, sizeof status);
    const char *state = strstr(status, "\nState:\t"), *count = strstr(status, key);
    if (state == NULL || count == NULL || strchr("DS", state[strlen("\nState:\t")]) == NULL)
        return false;
    *ret_sleeps = strtoul(count + strlen(key), NULL, 10);
    return true;
}

/* Where in the kernel the reader sleeps tells, if the kernel has names of its functions. */
static bool waits_for_lock(pid_t reader)
{
    char place[128];
    ask_about(reader, "wchan", place, sizeof place);
    return strncmp(place, "rwsem_", strlen("rwsem_")) == 0;
}

static bool host_is_crowded(void)
{
    char load[128];
    long runnable = 0;
    ask_kernel("/proc/loadavg", load, sizeof load);
    return sscanf(load, "%*s %*s %*s %ld/", &runnable) == 1 &&
           runnable > CROWD_PER_PROCESSOR * sysconf(_SC_NPROCESSORS_ONLN);
}

/* Observations of the reader so far. */
struct sight {
    uint64_t turn;
    unsigned long sleeps;
    int still; /* looks in which nothing has changed */
};

/* One look, after a pause. Whether a read stands still. */
static bool stands_still(struct reads *reads, struct sight *seen)
{
    const struct sight before = *seen;
    const pid_t reader = atomic_load(&reads->reader);
    seen->turn = atomic_load(&reads->turn);
    const bool is_still = seen->turn % 2 == 1 && seen->turn == before.turn && sleeps(reader, &seen->sleeps) &&
                          seen->sleeps == before.sleeps;
    seen->still = is_still ? before.still + 1 : 0;
    return seen->still >= PAUSES && (seen->still >= PAUSES_FOR_LOCK || !(waits_for_lock(reader) || host_is_crowded()));
}

static void *watch(void *unused)
{
    const struct timespec pause = {.tv_nsec = pause_ns};
    struct sight seen = {0};
    for (;;) {
        nanosleep(&pause, NULL);
        const pid_t pid = atomic_load(&watched.reads.pid);
        void (*const on_block)(pid_t pid) = atomic_load(&watched.on_block);
        if (on_block == NULL)
            return unused;
        if (!stands_still(&watched.reads, &seen))
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
    atomic_store(&watched.reads.reader, gettid());
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &watched.mask); /* signals are the reader's */
    if (pthread_create(&thread, NULL, watch, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &watched.mask, NULL);
}

static void *attempt(void *argument)
{
    struct attempt *own = argument;
    own_attempt = own;
    atomic_store(&own->reads->reader, gettid());
    arena_use(&own->arena);
    sem_post(&own->begun);
    own->function(own->context);
    sem_post(&own->done);
    return NULL;
}

/* The whole of it is one read. */
static void *read_apart(void *argument)
{
    struct attempt *own = argument;
    own_attempt = own;
    atomic_store(&own->reads->reader, gettid());
    depth = 1;
    own_turn = atomic_fetch_add(&own->reads->turn, 1) + 1;
    sem_post(&own->begun);
    own->function(own->context);
    if (has_ended_in_time()) {
        sem_post(&own->done);
        return NULL;
    }
    note_answer(atomic_load(&own->reads->pid));
    own->discard(own->context);
    free(own);
    return NULL;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        continue;
}

/* False: the thread is left behind, and frees the attempt. */
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
        if (errno == ETIMEDOUT && stands_still(own->reads, &seen) &&
            atomic_compare_exchange_strong(&own->reads->turn, &seen.turn, seen.turn + 1))
            return false;
    }
}

unsigned blocked_read_count_left(void)
{
    return atomic_load(&left);
}

/* With the signals blocked that do not come of what a thread does. */
static bool start(struct attempt *own, void *(*run)(void *attempt), pthread_t *ret_thread)
{
    sigset_t others, before;
    sigfillset(&others);
    for (size_t i = 0; i < sizeof own_signals / sizeof *own_signals; i++)
        sigdelset(&others, own_signals[i]);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    const bool is_started = pthread_create(ret_thread, NULL, run, own) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

enum outcome { NOT_STARTED, LEFT_BEHIND, DONE };

static enum outcome run(struct attempt *own, void *(*function)(void *attempt))
{
    pthread_t thread;
    sem_init(&own->begun, 0, 0);
    sem_init(&own->done, 0, 0);
    if (!start(own, function, &thread)) {
        free(own);
        return NOT_STARTED;
    }
    wait_for(&own->begun);
    if (is_done(own)) {
        pthread_join(thread, NULL);
        arena_join(&own->arena);
        free(own);
        return DONE;
    }
    pthread_detach(thread);
    return LEFT_BEHIND;
}

bool blocked_read_leave_out(void (*function)(void *context), void *context)
{
    atomic_store(&watched.on_block, NULL);
    for (;;) {
        struct attempt *own = allocate(sizeof *own);
        *own = (struct attempt){.function = function, .context = context, .reads = &watched.reads};
        const enum outcome outcome = run(own, attempt);
        if (outcome != LEFT_BEHIND)
            return outcome == DONE;
        atomic_fetch_add(&left, 1);
        if (!blocked_read_note(atomic_load(&watched.reads.pid)))
            return false;
    }
}

bool blocked_read_apart(pid_t pid, void (*function)(void *context), void (*discard)(void *context), void *context)
{
    struct attempt *own = own_attempt != NULL && depth == 0 && !is_not_watched ? allocate(sizeof *own) : NULL;
    if (own != NULL) {
        *own = (struct attempt){.function = function, .context = context, .discard = discard};
        own->reads = &own->own_reads;
        atomic_store(&own->reads->pid, pid);
    }
    const enum outcome outcome = own != NULL ? run(own, read_apart) : NOT_STARTED;
    if (outcome == NOT_STARTED) {
        blocked_read_begin(pid);
        function(context);
        blocked_read_end();
    }
    if (outcome == LEFT_BEHIND)
        blocked_read_note(pid);
    return outcome != LEFT_BEHIND;
}
