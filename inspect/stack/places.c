/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the places and activities of threads outside MPI.
 */

#include "base/base.h"
#include "model/model.h"
#include "stack/stack_internal.h"

#include <stdlib.h>
#include <string.h>

static bool is_alive(const struct process *process)
{
    return process->target != NULL && !process->is_saved && process->core == NULL && process->pid > 0 &&
           (process->reason == NULL || process->lacks_tables || process->is_before_mpi);
}

void job_note_activity(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        struct process_reading reading;
        struct reason reason;
        if (!is_alive(process) || process_reading_take(process->pid, &reading, &reason) != 0)
            continue;
        process->read_at_s = reading.at_s;
        process->cpu_time_s = reading.cpu_time_s;
        process->activity = process_activity_of_state(reading.state);
    }
}

struct process_reading *job_begin_turn(const struct job *job)
{
    struct process_reading *readings = allocate((job->process_count + 1) * sizeof *readings);
    for (size_t i = 0; i < job->process_count; i++) {
        readings[i].at_s = -1;
        if (is_alive(&job->processes[i]) && process_cpu_time(job->processes[i].pid, &readings[i].cpu_time_s) == 0)
            readings[i].at_s = monotonic_s();
    }
    return readings;
}

bool job_has_had_turn(const struct job *job, const struct process_reading *begin)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (begin[i].at_s >= 0 && !process_has_run_since(job->processes[i].pid, &begin[i]))
            return false;
    return true;
}

void job_end_turn(const struct job *job, struct process_reading *begin)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (begin[i].at_s >= 0 && process_has_run_since(job->processes[i].pid, &begin[i]))
            begin[i].at_s = -1;
}

static const struct process *find_earlier(const struct job *before, const struct process *process)
{
    for (size_t i = 0; before != NULL && i < before->process_count; i++)
        if (before->processes[i].rank == process->rank && before->processes[i].pid == process->pid &&
            before->processes[i].read_at_s >= 0)
            return &before->processes[i];
    return NULL;
}

static void find_activity(struct process *process, const struct job *before)
{
    struct process_reading reading;
    struct reason reason;
    if (!is_alive(process) || process_reading_take(process->pid, &reading, &reason) != 0)
        return;
    const struct process *earlier = find_earlier(before, process);
    const struct process_reading first = {.at_s = earlier != NULL ? earlier->read_at_s : 0,
                                          .cpu_time_s = earlier != NULL ? earlier->cpu_time_s : 0};
    process->activity = process_activity_between(earlier != NULL ? &first : NULL, &reading);
    process->read_at_s = reading.at_s;
    process->cpu_time_s = reading.cpu_time_s;
}

/* Programs let another thread complete such a request that is theirs, whatever level of threads they have asked for. */
static bool has_generalized_request(const struct process *process)
{
    for (size_t i = 0; i < process->request_count; i++)
        if (operation_class(&process->requests[i]) == MPILENS_OPERATION_GENERALIZED && !process->requests[i].complete)
            return true;
    return false;
}

/* Whether threads that have not called MPI so far may do so while others are in it, or poll. */
static bool may_have_unseen_threads(const struct process *process)
{
    bool is_held = false; /* by a call that lasts */
    for (size_t i = 0; i < process->thread_count; i++)
        is_held = is_held || (!process->threads[i].ended && process->threads[i].function[0] != '\0' &&
                              !process->threads[i].polling);
    return process->thread_level == MPILENS_THREAD_LEVEL_MULTIPLE || has_generalized_request(process) ||
           (process->thread_level == MPILENS_THREAD_LEVEL_SERIALIZED && !is_held);
}

static bool has_thread_outside(const struct process *process)
{
    bool has_thread = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        if (process->threads[i].ended)
            continue;
        has_thread = true;
        if (process->threads[i].function[0] == '\0')
            return true;
    }
    return !has_thread;
}

static const char *keep(struct job *job, char *text)
{
    const char *kept = text != NULL ? text_pool_add(&job->names, text) : "";
    free(text);
    return kept;
}

/* NULL: the thread has not called MPI. */
static const struct thread *find_caller(const struct process *process, pid_t tid)
{
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && (pid_t)process->threads[i].tid == tid)
            return &process->threads[i];
    return NULL;
}

static bool is_in_mpi(const struct process *process, pid_t tid)
{
    const struct thread *caller = find_caller(process, tid);
    return caller != NULL && caller->function[0] != '\0';
}

/* Threads share CPU time: their states tell them apart. */
static enum process_activity activity_of(const struct process *process, const struct thread_stack *thread)
{
    return process->activity == ACTIVITY_STOPPED ? ACTIVITY_STOPPED : process_activity_of_state(thread->state);
}

static const struct site *site_of_place(const struct thread_stack *thread)
{
    const struct stack_frame *place = stack_find_place(thread);
    return place != NULL ? place->site : NULL;
}

/* `text`: its stack in one line, which is taken. */
static void add_place(struct job *job, struct process *process, const struct thread_stack *thread, char *text)
{
    const char *stack = keep(job, text);
    const enum process_activity activity = activity_of(process, thread);
    const bool waits = stack_is_waiting_for_threads(thread);
    for (size_t i = 0; i < process->thread_place_count; i++) {
        struct thread_place *place = &process->thread_places[i];
        /* Texts of a pool are equal if they are the same. */
        if (place->stack == stack && place->activity == activity && place->waits_for_threads == waits) {
            place->threads++;
            return;
        }
    }
    process->thread_places =
        array_append(process->thread_places, &process->thread_place_count, sizeof *process->thread_places);
    process->thread_places[process->thread_place_count - 1] =
        (struct thread_place){.stack = stack,
                              .stack_site = site_of_place(thread),
                              .called = keep(job, stack_find_called(thread)),
                              .innermost = keep(job, site_describe_function(stack_find_innermost(thread)->site)),
                              .activity = activity,
                              .threads = 1,
                              .waits_for_threads = waits};
}

/* Threads without a frame of the program are helpers of libraries. */
static void take_other_threads(struct job *job, struct process *process, const struct stacks *stacks)
{
    for (size_t i = 1; i < stacks->thread_count; i++) {
        const struct thread_stack *thread = &stacks->threads[i];
        char *text = is_in_mpi(process, thread->tid) ? NULL : describe_stack(thread);
        if (text != NULL)
            add_place(job, process, thread, text);
    }
}

static void count_unseen_threads(struct process *process, const struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->thread_count && may_have_unseen_threads(process); i++) {
        const struct thread_stack *thread = &stacks->threads[i];
        if ((stack_find_place(thread) != NULL || thread->is_left_out) && find_caller(process, thread->tid) == NULL &&
            !stack_is_waiting_for_threads(thread))
            process->unseen_threads++;
    }
}

/* The thread that tells what a process does whose main thread is not in MPI: one of those that the main thread waits
 * for, if it does. */
static const struct thread_stack *find_leading(const struct process *process, const struct stacks *stacks)
{
    for (size_t i = 1; i < stacks->thread_count && stack_is_waiting_for_threads(&stacks->threads[0]); i++)
        if (stack_find_place(&stacks->threads[i]) != NULL && !is_in_mpi(process, stacks->threads[i].tid) &&
            !stack_is_waiting_for_threads(&stacks->threads[i]))
            return &stacks->threads[i];
    return &stacks->threads[0];
}

/* -1: it is no rank of the job. */
static int32_t rank_of(const struct job *job, const struct process *near, pid_t pid)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        const bool is_here = process->host == near->host ||
                             (process->host != NULL && near->host != NULL && strcmp(process->host, near->host) == 0);
        if (process->pid == pid && is_here && process->rank >= 0)
            return process->rank;
    }
    return -1;
}

/* "waiting for a lock of run.lock (held by rank 0)". */
static void take_wait(struct job *job, struct process *process, const struct system_call *call)
{
    char *said = describe_system_call_wait(process->target, call);
    const pid_t holder = said != NULL ? system_call_lock_holder(process->target, call) : 0;
    if (holder != 0) {
        process->lock_holder = rank_of(job, process, holder);
        const char *name = process->lock_holder >= 0 ? arena_text("rank %d", process->lock_holder)
                                                     : arena_text("process %lld", (long long)holder);
        char *whole = format_text("%s (held by %s)", said, name);
        free(said);
        said = whole;
    }
    process->waits_for = keep(job, said);
}

static const char *describe_locked_thread(const struct stacks *stacks, const struct thread_stack *thread)
{
    char *place = describe_place(thread);
    const char *name =
        thread == &stacks->threads[0] ? "its main thread" : arena_text("its thread %lld", (long long)thread->tid);
    const char *said = arena_text("%s waits%s%s", name, place != NULL ? " in " : "", place != NULL ? place : "");
    free(place);
    return said;
}

/* A circle of threads that wait for each other's mutexes, where the main thread waits for threads: "its thread 4512
 * waits in heat (heat.c:7) for a mutex of thread 4513, its thread 4513 waits in flow (flow.c:9) for a mutex of thread
 * 4512". */
static const char *find_locked_circle(struct process *process, const struct stacks *stacks)
{
    enum { MOST_THREADS = 8, MOST_LOOKED_AT = 256 };
    const struct thread_stack *circle[MOST_THREADS];
    const size_t threads = stack_is_waiting_for_threads(&stacks->threads[0]) ? stacks->thread_count : 0;
    for (size_t i = 0; i < threads && i < MOST_LOOKED_AT; i++) {
        const struct thread_stack *thread = &stacks->threads[i];
        size_t count = 0;
        do {
            circle[count++] = thread;
            thread = stack_find_awaited(process->target, stacks, thread);
        } while (count < MOST_THREADS && thread != NULL && thread != circle[0]);
        if (thread != circle[0])
            continue;
        if (count == 1)
            return arena_text("%s for a mutex that it has locked itself", describe_locked_thread(stacks, thread));
        const char *said = "";
        for (size_t j = 0; j < count; j++)
            said = arena_text("%s%s%s for a mutex of thread %lld", said, j > 0 ? ", " : "",
                              describe_locked_thread(stacks, circle[j]), (long long)circle[(j + 1) % count]->tid);
        return said;
    }
    return "";
}

static void take_stacks(struct job *job, struct process *process, const struct stacks *stacks)
{
    if (stacks->thread_count > 0 && !is_in_mpi(process, stacks->threads[0].tid)) {
        const struct stack_frame *place = stack_find_place(find_leading(process, stacks));
        process->place = keep(job, place != NULL ? site_describe_function(place->site) : NULL);
        if (place != NULL && place->site->line == 0)
            site_find(&job->sites, process->target, place->address); /* for its hint */
        process->stack = keep(job, describe_stack(&stacks->threads[0]));
        process->stack_site = site_of_place(&stacks->threads[0]);
        process->called = keep(job, stack_find_called(&stacks->threads[0]));
        process->place_has_called =
            process->called[0] != '\0' && place != NULL && place == stack_find_innermost(&stacks->threads[0]);
        take_wait(job, process, &find_leading(process, stacks)->system_call);
        process->locked_circle = text_pool_add(&job->names, find_locked_circle(process, stacks));
    }
    take_other_threads(job, process, stacks);
    count_unseen_threads(process, stacks);
    for (size_t i = 0; i < process->thread_count; i++) {
        struct thread *thread = &process->threads[i];
        for (size_t j = 0; j < stacks->thread_count && thread->function[0] == '\0'; j++)
            if ((uint32_t)stacks->threads[j].tid == thread->tid)
                thread->waits_for_threads = stack_is_waiting_for_threads(&stacks->threads[j]);
    }
}

/* Whether the verdict needs to know where its threads are. */
static bool needs_places(const struct process *process)
{
    if (process->is_saved)
        return false;
    return process->reason == NULL ? has_thread_outside(process) || may_have_unseen_threads(process)
                                   : process->lacks_tables || process->is_before_mpi;
}

static bool is_any(const struct process *process)
{
    return !process->is_saved;
}

static void take_places(struct job *job, struct process *process, const struct stacks *stacks)
{
    if (process->lacks_tables)
        process_take_seen_threads(job, process, stacks);
    if (process->is_before_mpi || (!process->lacks_tables && needs_places(process)))
        take_stacks(job, process, stacks);
}

static void take_all(struct job *job, struct process *process, const struct stacks *stacks)
{
    take_places(job, process, stacks);
    process_take_end(job, process, stacks);
    process_take_call_stacks(job, process, stacks);
    process_name_seen_calls(process);
}

void job_find_places(struct job *job, const struct job *before, bool all_stacks)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (needs_places(&job->processes[i]))
            find_activity(&job->processes[i], before);
    if (all_stacks)
        job_read_stacks(job, is_any, take_all);
    else
        job_read_stacks(job, needs_places, take_places);
    job_resolve_library_sites(job);
    job_doubt_silence(job, true);
}
