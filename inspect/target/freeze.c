/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stops processes while they are read.
 */
#include "target/target.h"

#include "base/base.h"
#include "kernel/kernel.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long a thread is waited for that does not stand still: one in an uninterruptible wait does not until that ends.
 * One that is ready to run only waits for a processor, which others may keep from it for seconds: it is given the time
 * several times. */
enum { PATIENCE_MS = 2000, MOST_TIMES = 5, LOOK_MS = 50 };
/* How many of the longest turns of others it waits for, and how often it may see a process held and then find nobody
 * who does: readers come and go between the two looks. */
enum { MOST_TURNS = 20, MOST_MISSES = 8 };
int freeze_turn_ms = 30000;

/* Among the first `count`. The kernel lists threads in the same order each time: `next` is where the last one was
 * found. */
static bool is_known(const struct freeze *freeze, size_t count, size_t *next, pid_t thread)
{
    for (size_t i = 0; i < count; i++) {
        const size_t at = (*next + i) % count;
        if (freeze->threads[at].thread == thread) {
            *next = at + 1;
            return true;
        }
    }
    return false;
}

static int seize_thread(struct freeze *freeze, pid_t thread)
{
    if (ptrace(PTRACE_SEIZE, thread, NULL, NULL) != 0)
        return errno;
    freeze->threads = array_append(freeze->threads, &freeze->count, sizeof *freeze->threads);
    freeze->threads[freeze->count - 1].thread = thread;
    return ptrace(PTRACE_INTERRUPT, thread, NULL, NULL) != 0 ? errno : 0;
}

/* True once the thread stands still or is gone. */
static bool has_stopped(struct frozen_thread *thread)
{
    int status;
    const pid_t changed = waitpid(thread->thread, &status, __WALL | WNOHANG);
    if (changed == 0)
        return false;
    if (changed == thread->thread && WIFSTOPPED(status)) {
        thread->stopped = true;
        if (status >> 16 == 0)
            thread->signal = WSTOPSIG(status); /* to be delivered when it goes on */
    }
    return true;
}

/* Still there, for the main thread outlives the others like this; it will not stop. */
static bool has_ended(pid_t thread)
{
    return process_has_ended("/proc", thread);
}

static bool has_stopped_or_ended(struct frozen_thread *thread)
{
    return has_stopped(thread) || has_ended(thread->thread);
}

static long long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_ready_to_run(pid_t thread)
{
    struct process_status status;
    return read_process_status("/proc", thread, &status) && status.state == 'R';
}

/* Sleeps until a thread stops, for a while at most: a reader that looks again and again keeps the processor from the
 * very thread that it waits for. SIGCHLD is to be blocked. */
static void wait_for_change(void)
{
    static const struct timespec longest = {.tv_nsec = LOOK_MS * 1000000L};
    sigset_t change;
    sigemptyset(&change);
    sigaddset(&change, SIGCHLD);
    sigtimedwait(&change, NULL, &longest);
}

static bool wait_blocked(bool is_done(struct frozen_thread *thread), struct frozen_thread *thread)
{
    for (int times = 0; times < MOST_TIMES; times++) {
        const long long end = now_ms() + PATIENCE_MS;
        do {
            if (is_done(thread))
                return true;
            wait_for_change();
        } while (now_ms() < end);
        if (!is_ready_to_run(thread->thread))
            break;
    }
    return is_done(thread);
}

/* A process in a frozen control group of version 1 does nothing until it is thawed, and does not stop for a
 * debugger. */
static bool is_in_frozen_group(pid_t pid)
{
    struct process_status status;
    return read_process_status("/proc", pid, &status) && status.state == 'D' &&
           control_group_read("/proc", "/sys/fs/cgroup", pid).is_frozen;
}

static bool wait_until(bool is_done(struct frozen_thread *thread), struct frozen_thread *thread)
{
    sigset_t change, before;
    if (is_done(thread))
        return true;
    sigemptyset(&change);
    sigaddset(&change, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &change, &before);
    const bool is_done_now = wait_blocked(is_done, thread);
    kill(getpid(), SIGCHLD); /* one that was taken may have been about a child that the caller awaits */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_done_now;
}

/* Seizes the threads that are not seized yet. */
static int seize_new_threads(pid_t pid, struct freeze *freeze, size_t *ret_new)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *directory = opendir(path);
    if (directory == NULL)
        return ESRCH;
    int error = 0;
    const size_t before = freeze->count;
    size_t next = 0;
    const struct dirent *entry;
    while (error == 0 && (entry = readdir(directory)) != NULL) {
        const pid_t thread = (pid_t)atol(entry->d_name);
        if (thread <= 0 || is_known(freeze, before, &next, thread))
            continue;
        error = seize_thread(freeze, thread);
        if ((error == ESRCH && thread != pid) || (error == EPERM && has_ended(thread)))
            error = 0; /* a thread that has just ended, or the main one, which others outlive */
    }
    closedir(directory);
    *ret_new = freeze->count - before;
    return error;
}

static int explain(pid_t pid, int error, struct reason *ret_reason)
{
    struct process_status status;
    if (error == ESRCH)
        return reason_set(ret_reason, "process %ld is gone", (long)pid);
    if (error == EPERM && read_process_status("/proc", pid, &status) && status.tracer != 0)
        return reason_set(ret_reason, "process %ld cannot be stopped: process %ld is debugging it", (long)pid,
                          (long)status.tracer);
    return reason_set(ret_reason, "process %ld cannot be stopped: %s", (long)pid,
                      error == EPERM       ? read_permission_advice()
                      : error == EBUSY     ? "its control group is frozen"
                      : error == ETIMEDOUT ? "a thread of it does not stand still: it is in a wait that nothing "
                                             "interrupts, or gets no processor"
                                           : strerror(error));
}

/* Threads of a process that was killed may still be there to be seized, and end instead. */
static bool any_has_stopped(const struct freeze *freeze)
{
    for (size_t i = 0; i < freeze->count; i++)
        if (freeze->threads[i].stopped)
            return true;
    return false;
}

/* Until no thread makes another one. */
static int wait_for_all(pid_t pid, struct freeze *freeze)
{
    size_t first = 0, new_threads = 0;
    do {
        for (size_t i = first; i < freeze->count; i++)
            if (!wait_until(has_stopped_or_ended, &freeze->threads[i])) {
                freeze->threads[i].is_given_up = true;
                return ETIMEDOUT;
            }
        first = freeze->count;
        const int error = seize_new_threads(pid, freeze, &new_threads);
        if (error != 0)
            return error;
    } while (new_threads > 0);
    return any_has_stopped(freeze) ? 0 : ESRCH;
}

enum holder { NOBODY, READER, DEBUGGER };

/* The holder of the process, and its thread that traces it: another process of this program is a reader. Readers of a
 * job take turns: all seize its ranks in the same order, so that none waits for one that waits for it. */
static enum holder find_holder(pid_t pid, pid_t *ret_thread)
{
    char path[64];
    struct stat own, other;
    struct process_status status, tracer;
    if (!read_process_status("/proc", pid, &status) || status.state == 'Z' || status.tracer == 0)
        return NOBODY;
    if (status.tracer == gettid())
        return DEBUGGER; /* it is this one, which has it already */
    if (!read_process_status("/proc", status.tracer, &tracer))
        return NOBODY;
    if (strcmp(tracer.name, FREEZE_WATCHER) == 0)
        return DEBUGGER;
    snprintf(path, sizeof path, "/proc/%ld/exe", (long)status.tracer);
    if (stat("/proc/self/exe", &own) != 0 || stat(path, &other) != 0)
        return errno == ENOENT ? NOBODY : DEBUGGER;
    *ret_thread = status.tracer;
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino ? READER : DEBUGGER;
}

static int seize_in_turn(pid_t pid, struct freeze *freeze)
{
    static const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    const long long begin = now_ms();
    long long turn_begin = begin;
    pid_t reader = 0, last_reader = 0;
    for (int left = MOST_MISSES; left > 0;) {
        size_t new_threads = 0;
        const int error = seize_new_threads(pid, freeze, &new_threads);
        const enum holder holder = error == EPERM ? find_holder(pid, &reader) : NOBODY;
        const long long now = now_ms();
        if (holder == READER && reader != last_reader)
            turn_begin = now;
        if (error != EPERM || holder == DEBUGGER || now - turn_begin >= freeze_turn_ms ||
            now - begin >= MOST_TURNS * (long long)freeze_turn_ms)
            return error;
        left = holder == READER ? MOST_MISSES : left - 1;
        last_reader = reader;
        freeze_release(freeze);
        nanosleep(&pause, NULL);
    }
    return EPERM;
}

int freeze_begin(pid_t pid, struct freeze *freeze, struct reason *ret_reason)
{
    struct freeze begun = {0};
    const int error = is_in_frozen_group(pid) ? EBUSY : seize_in_turn(pid, &begun);
    if (error != 0) {
        freeze_release(&begun);
        return explain(pid, error, ret_reason);
    }
    *freeze = begun;
    return 0;
}

int freeze_finish(pid_t pid, struct freeze *freeze, struct reason *ret_reason)
{
    const int error = wait_for_all(pid, freeze);
    if (error == 0)
        return 0;
    freeze_release(freeze);
    return explain(pid, error, ret_reason);
}

int freeze_process(pid_t pid, struct freeze *freeze, struct reason *ret_reason)
{
    return freeze_begin(pid, freeze, ret_reason) == 0 ? freeze_finish(pid, freeze, ret_reason) : -1;
}

/* A thread that was killed while it was held: its parent sees the process end only once its tracer has. */
static void take_leave(struct frozen_thread *thread)
{
    if (ptrace(PTRACE_DETACH, thread->thread, NULL, (void *)(intptr_t)thread->signal) != 0 && errno == ESRCH &&
        !thread->is_given_up)
        wait_until(has_stopped, thread);
}

void freeze_release(struct freeze *freeze)
{
    for (size_t i = freeze->count; i-- > 0;) { /* the main thread, which ends after the others, last */
        struct frozen_thread *thread = &freeze->threads[i];
        if (thread->is_given_up)
            has_stopped(thread);
        else if (!thread->stopped) /* of a process that could not be frozen in time: detaching needs a stop */
            wait_until(has_stopped, thread);
        take_leave(thread);
    }
    free(freeze->threads);
    *freeze = (struct freeze){0};
}
