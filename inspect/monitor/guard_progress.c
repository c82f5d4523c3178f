/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decides whether a job makes progress.
 */
#include "monitor/monitor_internal.h"

#include "base/base.h"
#include "discover/discover.h"
#include "kernel/kernel.h"
#include "stack/stack.h"

#include <math.h>
#include <string.h>

/* A process that computes uses more of the time in which it can run. */
static const double computing_share = 0.01;
/* A thread that has not polled for this long does something else in between. */
static const double polling_pause_s = 1;

/* Above a rank, launchers are not looked for further up. */
enum { MOST_ANCESTORS = 64 };

/* FNV-1a. */
static void add_bytes(uint64_t *digest, const void *bytes, size_t count)
{
    static const uint64_t prime = 0x100000001b3;
    for (size_t i = 0; i < count; i++)
        *digest = (*digest ^ ((const unsigned char *)bytes)[i]) * prime;
}

static void add_number(uint64_t *digest, uint64_t number)
{
    add_bytes(digest, &number, sizeof number);
}

static bool is_outside(const struct thread *thread)
{
    return thread->function[0] == '\0' || (thread->polling && thread->idle_s > polling_pause_s);
}

static void add_thread(uint64_t *digest, const struct thread *thread)
{
    add_number(digest, thread->index);
    add_number(digest, thread->tid);
    add_number(digest, thread->ended);
    add_number(digest, thread->completions);
    add_number(digest, thread->operation_serial);
    if (thread->polling || thread->function[0] == '\0')
        return; /* a call that finds nothing is no progress, nor is its end */
    add_bytes(digest, thread->function, strlen(thread->function));
    add_number(digest, thread->entered);
    add_number(digest, thread->site_address);
}

static void add_communicator(uint64_t *digest, const struct communicator *communicator)
{
    add_number(digest, communicator->id);
    add_number(digest, communicator->collective_calls);
    add_number(digest, communicator->constructor_calls);
    for (size_t i = 0; i < communicator->channel_count; i++)
        add_number(digest, communicator->channels[i].sent ^ communicator->channels[i].received << 32);
}

static void add_object(uint64_t *digest, const struct object *object)
{
    add_number(digest, (uint64_t)object->kind << 32 | object->serial);
    if (object->window != NULL) {
        add_number(digest, object->window->operations);
        add_number(digest, object->window->synchronizations);
        add_number(digest, object->window->collective_calls);
    }
    if (object->file != NULL) {
        add_number(digest, object->file->operations);
        add_number(digest, object->file->collective_calls);
    }
}

static void add_contents(uint64_t *digest, const struct process *process)
{
    add_number(digest, (uint64_t)process->pid);
    add_number(digest, process->state);
    for (size_t i = 0; i < process->thread_count; i++)
        add_thread(digest, &process->threads[i]);
    for (size_t i = 0; i < process->communicator_count; i++)
        add_communicator(digest, &process->communicators[i]);
    for (size_t i = 0; i < process->object_count; i++)
        add_object(digest, &process->objects[i]);
    add_number(digest, process->request_count);
}

static struct guard_thread read_thread(pid_t pid, uint32_t tid)
{
    struct guard_thread thread = {.tid = tid};
    thread.times = thread_times_read("/proc", pid, (pid_t)tid, &thread.kernel_state);
    return thread;
}

static const struct guard_thread *find_thread(const struct guard_thread *threads, size_t count, uint32_t tid)
{
    for (size_t i = 0; i < count; i++)
        if (threads[i].tid == tid)
            return &threads[i];
    return NULL;
}

static struct guard_thread *keep_thread(struct guard_process *guarded, uint32_t tid)
{
    guarded->threads = arena_append(guarded->threads, &guarded->thread_count, sizeof *guarded->threads);
    struct guard_thread *thread = &guarded->threads[guarded->thread_count - 1];
    *thread = read_thread(guarded->pid, tid);
    return thread;
}

static void add_processor_time(struct guard_process *guarded, const struct process *process)
{
    guarded->is_outside = true;
    if (process_cpu_time(process->pid, &guarded->cpu_time_s) != 0)
        guarded->cpu_time_s = -1;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended)
            continue;
        const double seconds = keep_thread(guarded, thread->tid)->times.run_s;
        if (!is_outside(thread)) {
            guarded->is_outside = false;
        } else if (seconds >= 0) {
            guarded->outside_time_s += seconds;
            add_number(&guarded->outside, thread->tid);
        }
    }
    if (find_thread(guarded->threads, guarded->thread_count, (uint32_t)process->pid) == NULL)
        keep_thread(guarded, (uint32_t)process->pid);
}

/* While a job starts, its ranks wait for them. */
static void add_launchers(struct guard_reading *reading, pid_t pid)
{
    struct process_status status;
    for (int i = 0; i < MOST_ANCESTORS && pid > 1 && read_process_status("/proc", pid, &status); i++) {
        if (find_thread(reading->launchers, reading->launcher_count, (uint32_t)pid) != NULL)
            return;
        if (is_launcher(status.name)) {
            reading->launchers = arena_append(reading->launchers, &reading->launcher_count, sizeof *reading->launchers);
            reading->launchers[reading->launcher_count - 1] = read_thread(pid, (uint32_t)pid);
        }
        pid = status.parent;
    }
}

void guard_reading_add(struct guard_reading *reading, const struct job *job)
{
    struct arena *outer = arena_use(&reading->arena);
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->reason != NULL || process->has_ended) {
            add_number(&reading->digest, process->state);
            continue;
        }
        reading->processes = arena_append(reading->processes, &reading->process_count, sizeof *reading->processes);
        struct guard_process *guarded = &reading->processes[reading->process_count - 1];
        guarded->pid = process->pid;
        struct process_status status;
        if (read_process_status("/proc", process->pid, &status)) {
            guarded->kernel_state =
                control_group_read("/proc", "/sys/fs/cgroup", process->pid).is_frozen ? 'T' : status.state;
            add_launchers(reading, status.parent);
        }
        add_contents(&reading->digest, process);
        add_processor_time(guarded, process);
    }
    arena_use(outer);
}

/* A thread that is ready may have been so, and without a processor, since it ran last. */
static double thread_runnable_time(const struct guard_thread *before, const struct guard_thread *later,
                                   double elapsed_s)
{
    if (before->times.run_s < 0 || later->times.run_s < before->times.run_s)
        return elapsed_s; /* the kernel does not tell */
    const double run_s = fmin(later->times.run_s - before->times.run_s, elapsed_s);
    const double waited_s = later->times.waited_s - before->times.waited_s;
    return later->kernel_state == 'R' ? run_s : fmin(fmax(elapsed_s - waited_s, run_s), elapsed_s);
}

/* The least runnable time of all threads that are in both. */
static double least_runnable_time(const struct guard_thread *before, size_t before_count,
                                  const struct guard_thread *later, size_t later_count, double elapsed_s)
{
    double least_s = elapsed_s;
    for (size_t i = 0; i < later_count; i++) {
        const struct guard_thread *same = find_thread(before, before_count, later[i].tid);
        if (same != NULL)
            least_s = fmin(least_s, thread_runnable_time(same, &later[i], elapsed_s));
    }
    return least_s;
}

static double process_runnable_time(const struct guard_process *before, const struct guard_process *later,
                                    double elapsed_s)
{
    return least_runnable_time(before->threads, before->thread_count, later->threads, later->thread_count, elapsed_s);
}

double guard_runnable_time(const struct guard_reading *before, const struct guard_reading *later)
{
    const double elapsed_s = later->at_s - before->at_s;
    double least_s = least_runnable_time(before->launchers, before->launcher_count, later->launchers,
                                         later->launcher_count, elapsed_s);
    for (size_t i = 0; i < later->process_count && i < before->process_count; i++)
        least_s = fmin(least_s, process_runnable_time(&before->processes[i], &later->processes[i], elapsed_s));
    return least_s;
}

static bool has_computed(double before_s, double later_s, double runnable_s)
{
    return before_s >= 0 && later_s - before_s > computing_share * runnable_s;
}

/* Compares two readings of one process, whose digests are equal. */
static bool computes(const struct guard_process *before, const struct guard_process *later, double elapsed_s)
{
    const double runnable_s = process_runnable_time(before, later, elapsed_s);
    if (before->outside == later->outside && has_computed(before->outside_time_s, later->outside_time_s, runnable_s))
        return true;
    return before->is_outside && later->is_outside && has_computed(before->cpu_time_s, later->cpu_time_s, runnable_s);
}

static bool is_suspended(const struct guard_reading *reading)
{
    for (size_t i = 0; i < reading->process_count; i++)
        if (reading->processes[i].kernel_state != 'T')
            return false;
    return true;
}

bool guard_has_progressed(const struct guard_reading *before, const struct guard_reading *later)
{
    if (before->digest != later->digest || before->process_count != later->process_count || is_suspended(later))
        return true;
    const double elapsed_s = later->at_s - before->at_s;
    for (size_t i = 0; i < later->process_count; i++)
        if (before->processes[i].pid != later->processes[i].pid || later->processes[i].kernel_state == 't' ||
            computes(&before->processes[i], &later->processes[i], elapsed_s))
            return true;
    return false;
}

double guard_quiet_time(double quiet_s, const struct guard_reading *before, const struct guard_reading *later,
                        double most_s)
{
    if (guard_has_progressed(before, later))
        return 0;
    return quiet_s + fmin(guard_runnable_time(before, later), most_s);
}
