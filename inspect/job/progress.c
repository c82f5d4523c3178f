/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Marks the threads that have stayed in their call while a job was watched.
 */
#include "job/job_internal.h"

#include "model/model.h"
#include "stack/stack.h"
#include "target/target.h"

#include <string.h>

static double core_seconds(const struct process *process)
{
    const struct timespec written = target_core_time(process->target);
    return (double)written.tv_sec + (double)written.tv_nsec * 1e-9;
}

static bool is_core(const struct process *process)
{
    return process->core != NULL && process->target != NULL;
}

static double first_core(const struct job *job)
{
    double first = -1;
    for (size_t i = 0; i < job->process_count; i++)
        if (is_core(&job->processes[i]) && (first < 0 || core_seconds(&job->processes[i]) < first))
            first = core_seconds(&job->processes[i]);
    return first;
}

/* Since when the thread has been in its call, or made the last of the polls that it makes in turn for the first time;
 * -1: not known. */
static double least_age(const struct thread *thread)
{
    double age_s = thread->age_s;
    for (size_t i = 0; i < thread->other_poll_count; i++)
        if (thread->other_polls[i].age_s < age_s)
            age_s = thread->other_polls[i].age_s;
    return age_s;
}

static bool was_there(const struct process *process, const struct thread *thread, double first, double interval_s)
{
    const double age_s = least_age(thread);
    return !is_core(process) || age_s < 0 ||
           core_seconds(process) - age_s <= first - (thread->polling ? interval_s : 0);
}

void progress_of_one(struct job *job, double interval_s)
{
    const double first = first_core(job);
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        if (process->is_saved) /* which knows from when it was saved */
            continue;
        for (size_t j = 0; j < process->thread_count; j++) {
            struct thread *thread = &process->threads[j];
            thread->stalled = thread->function[0] != '\0' && was_there(process, thread, first, interval_s);
        }
    }
}

/* Not known is any. */
static bool progress_is_same_host(const struct process *left, const struct process *right)
{
    return left->host == NULL || right->host == NULL || strcmp(left->host, right->host) == 0;
}

static struct process *find_same_process(const struct job *job, const struct process *like)
{
    size_t low = 0, high = job->process_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (job->processes[middle].rank < like->rank)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < job->process_count && job->processes[low].rank == like->rank; low++)
        if (job->processes[low].pid == like->pid && progress_is_same_host(&job->processes[low], like))
            return &job->processes[low];
    return NULL;
}

static const struct thread *find_thread(const struct process *process, const struct thread *like)
{
    for (size_t i = 0; process != NULL && i < process->thread_count; i++)
        if (process->threads[i].index == like->index && process->threads[i].tid == like->tid)
            return &process->threads[i];
    return NULL;
}

static bool has_stalled(const struct thread *before, const struct thread *later)
{
    return before != NULL && later->function[0] != '\0' && strcmp(before->function, later->function) == 0 &&
           before->entered == later->entered && before->polling == later->polling &&
           before->completions == later->completions && before->operation_serial == later->operation_serial &&
           before->communicator_id == later->communicator_id && before->peer_local == later->peer_local &&
           before->tag == later->tag && before->site_address == later->site_address &&
           before->other_poll_count == later->other_poll_count && before->more_polls == later->more_polls;
}

static bool has_called(const struct thread *before, const struct thread *later)
{
    return later->function[0] == '\0' &&
           (before == NULL || before->function[0] != '\0' || before->entered != later->entered ||
            before->completions != later->completions || before->operation_serial != later->operation_serial);
}

/* Compares the process with the same one in the first sample. */
static void note_growth(const struct process *before, struct process *later)
{
    for (size_t i = 0; i < later->communicator_count; i++) {
        struct communicator *communicator = &later->communicators[i];
        const struct communicator *earlier = find_communicator(before, communicator->id);
        if (earlier != NULL && count_unreceived(communicator) > count_unreceived(earlier) &&
            count_received(communicator) == count_received(earlier))
            communicator->unreceived_growth = count_unreceived(communicator) - count_unreceived(earlier);
    }
}

/* The least number of samples of all parts. */
static int least_samples(const struct job *job, int samples)
{
    for (size_t i = 0; i < job->part_count; i++)
        if (job->parts[i].is_saved && job->parts[i].samples < samples)
            samples = job->parts[i].samples;
    return samples;
}

static void compare_process(const struct job *before, struct process *process)
{
    const struct process *earlier = find_same_process(before, process);
    if (earlier != NULL) {
        note_growth(earlier, process);
        process_compare_seen_threads(earlier, process);
    }
    for (size_t i = 0; i < process->thread_count; i++) {
        struct thread *thread = &process->threads[i];
        const struct thread *same = find_thread(earlier, thread);
        thread->stalled = has_stalled(same, thread);
        thread->called_meanwhile = has_called(same, thread);
    }
}

/* Nothing of the process has stalled: it was kept from running for so long. */
static void forget_stalled(struct process *process, double lacked_s)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        struct thread *thread = &process->threads[i];
        if (thread->stalled)
            process->lacked_processor_s = lacked_s;
        thread->stalled = false;
    }
    for (size_t i = 0; i < process->seen_thread_count; i++) {
        struct seen_thread *thread = &process->seen_threads[i];
        if (thread->unchanged)
            process->lacked_processor_s = lacked_s;
        thread->unchanged = false;
    }
}

void progress_unknown(const struct process *before, double lacked_s, struct job *later)
{
    struct process *process = find_same_process(later, before);
    if (process != NULL)
        forget_stalled(process, lacked_s);
}

void progress_between_rounds(const struct job *before, struct job *later)
{
    for (size_t i = 0; i < later->process_count; i++) {
        struct process *process = &later->processes[i];
        compare_process(before, process);
        if (process->lacked_processor_s > 0) /* as its host has found out */
            forget_stalled(process, process->lacked_processor_s);
    }
}

void progress_between(const struct job *before, struct job *later, int samples, double interval_s)
{
    for (size_t i = 0; i < later->process_count; i++)
        if (!later->processes[i].is_saved)
            compare_process(before, &later->processes[i]);
    later->samples = least_samples(later, samples);
    later->interval_s = interval_s;
}
