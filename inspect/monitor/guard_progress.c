/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Decides whether a job makes progress.
 */
#include "monitor/guard_progress.h"

#include "base/allocation.h"
#include "base/process_files.h"
#include "stack/process_activity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who computes uses more of the time that passes. */
static const double computing_share = 0.01;
/* Who has not polled for so long does something else in between. */
static const double polling_pause_s = 1;

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
    add_number(digest, communicator->collective_count);
    add_number(digest, communicator->constructor_count);
    for (size_t i = 0; i < communicator->channel_count; i++)
        add_number(digest, communicator->channels[i].sent ^ communicator->channels[i].received << 32);
}

static void add_object(uint64_t *digest, const struct object *object)
{
    add_number(digest, (uint64_t)object->kind << 32 | object->serial);
    if (object->window != NULL) {
        add_number(digest, object->window->operations);
        add_number(digest, object->window->synchronizations);
        add_number(digest, object->window->collective_count);
    }
    if (object->file != NULL) {
        add_number(digest, object->file->operations);
        add_number(digest, object->file->collective_count);
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

/* Seconds; -1: not known. */
static double thread_cpu_time(pid_t pid, uint32_t tid)
{
    char file[64];
    size_t bytes;
    snprintf(file, sizeof file, "task/%lu/schedstat", (unsigned long)tid);
    char *text = read_process_file("/proc", pid, file, &bytes);
    const double seconds = text != NULL ? strtod(text, NULL) * 1e-9 : -1;
    free(text);
    return seconds;
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
        if (!is_outside(thread)) {
            guarded->is_outside = false;
            continue;
        }
        const double seconds = thread_cpu_time(process->pid, thread->tid);
        if (seconds < 0)
            continue;
        guarded->outside_time_s += seconds;
        add_number(&guarded->outside, thread->tid);
    }
}

void guard_reading_add(struct guard_reading *reading, const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (process->reason != NULL) {
            add_number(&reading->digest, process->state);
            continue;
        }
        reading->processes = array_append(reading->processes, &reading->process_count, sizeof *reading->processes);
        struct guard_process *guarded = &reading->processes[reading->process_count - 1];
        guarded->pid = process->pid;
        struct process_status status;
        if (read_process_status("/proc", process->pid, &status))
            guarded->kernel_state = status.state;
        add_contents(&reading->digest, process);
        add_processor_time(guarded, process);
    }
}

void guard_reading_clear(struct guard_reading *reading)
{
    free(reading->processes);
    *reading = (struct guard_reading){0};
}

static bool has_computed(double before_s, double later_s, double elapsed_s)
{
    return before_s >= 0 && later_s - before_s > computing_share * elapsed_s;
}

/* Of the same process; the digests are equal. */
static bool computes(const struct guard_process *before, const struct guard_process *later, double elapsed_s)
{
    if (before->outside == later->outside && has_computed(before->outside_time_s, later->outside_time_s, elapsed_s))
        return true;
    return before->is_outside && later->is_outside && has_computed(before->cpu_time_s, later->cpu_time_s, elapsed_s);
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
    for (size_t i = 0; i < later->process_count; i++)
        if (before->processes[i].pid != later->processes[i].pid || later->processes[i].kernel_state == 't' ||
            computes(&before->processes[i], &later->processes[i], later->at_s - before->at_s))
            return true;
    return false;
}

double guard_quiet_time(double quiet_s, const struct guard_reading *before, const struct guard_reading *later,
                        double most_s)
{
    if (guard_has_progressed(before, later))
        return 0;
    const double elapsed_s = later->at_s - before->at_s;
    return quiet_s + (elapsed_s < most_s ? elapsed_s : most_s);
}
