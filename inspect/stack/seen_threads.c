/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes over into the model what stacks tell.
 */

#include "base/base.h"
#include "debug/debug.h"
#include "stack/stack_internal.h"

#include <stdlib.h>
#include <string.h>

static const char *keep(struct job *job, char *text)
{
    const char *kept = text != NULL ? text_pool_add(&job->names, text) : "";
    free(text);
    return kept;
}

/* Equal for equal callers of a frame: FNV-1a of their addresses. */
static uint64_t trail_of(const struct thread_stack *stack, const struct stack_frame *frame)
{
    uint64_t trail = 14695981039346656037u;
    for (const struct stack_frame *one = frame + 1; one < stack->frames + stack->frame_count; one++)
        for (int shift = 0; shift < 64; shift += 8)
            trail = (trail ^ (one->address >> shift & 0xff)) * 1099511628211u;
    return trail;
}

static enum process_activity activity_of(const struct process *process, const struct thread_stack *stack)
{
    return process->activity == ACTIVITY_STOPPED ? ACTIVITY_STOPPED : process_activity_of_state(stack->state);
}

/* Whether what MPI runs just now is the program's. Where MPI is part of the program, that is not known. */
static bool is_called_back(const struct thread_stack *stack, const struct mpi_call *call)
{
    const struct stack_frame *innermost = stack_find_place(stack);
    return innermost != NULL && innermost < call->frame && innermost->site != NULL && call->frame->site != NULL &&
           is_mpi_module(call->frame->site->module) && !is_mpi_module(innermost->site->module);
}

static void add_thread(struct job *job, struct process *process, const struct thread_stack *stack,
                       const struct mpi_call *call, const struct stack_frame *place)
{
    process->seen_threads =
        array_append(process->seen_threads, &process->seen_thread_count, sizeof *process->seen_threads);
    struct seen_thread *thread = &process->seen_threads[process->seen_thread_count - 1];
    *thread = (struct seen_thread){
        .tid = (uint32_t)stack->tid,
        .function = call != NULL ? text_pool_add(&job->names, call->function) : "",
        .arguments = keep(job, call != NULL ? describe_arguments(process->target, stack, call) : NULL),
        .called = call == NULL ? keep(job, stack_find_called(stack)) : "",
        .activity = activity_of(process, stack)};
    if (call != NULL) {
        caller_memory_read(process->target, stack, call, thread);
        thread->is_called_back = is_called_back(stack, call);
    }
    if (place == NULL)
        return;
    thread->address = place->address;
    thread->site = place->site;
    thread->trail = trail_of(stack, place);
    if (place->site != NULL && place->site->line == 0)
        site_find(&job->sites, process->target, place->address); /* for its hint */
}

/* Where a Python program has ended, what the interpreter calls is no place of the program. */
static bool is_of_ended_program(const struct stacks *stacks, const struct stack_frame *frame)
{
    return stacks->end != NULL && frame != NULL && frame->site != NULL && is_interpreter_module(frame->site->module);
}

/* Threads without a function of the program are helpers of libraries. */
static void take_thread(struct job *job, struct process *process, const struct stacks *stacks, size_t number)
{
    struct mpi_call call;
    const struct thread_stack *stack = &stacks->threads[number];
    const bool is_in_mpi = stack_find_mpi_call(stack, process->target, &call);
    const struct stack_frame *place = is_in_mpi ? call.caller : stack_find_place(stack);
    /* The part cut off a stack may be a call of MPI. */
    const bool is_main = number == 0 && (is_in_mpi || !stack->is_cut);
    if (stack->frame_count > 0 && (is_main || stack_find_place(stack) != NULL))
        add_thread(job, process, stack, is_in_mpi ? &call : NULL, is_of_ended_program(stacks, place) ? NULL : place);
}

void process_take_end(struct job *job, struct process *process, const struct stacks *stacks)
{
    if (stacks->end == NULL)
        return;
    process->end = text_pool_add(&job->names, stacks->end);
    process->ends = stacks->has_failed ? PROGRAM_FAILED : PROGRAM_ENDS;
}

/* The program has called MPI, and the runtime does not know of it, unless its tables are gone. */
static void note_evasion(struct process *process)
{
    process->is_before_mpi = false;
    if (target_has_lost_box(process->target))
        return;
    process->evades_runtime = true;
    free(process->reason);
    process->reason = format_text("process %ld calls MPI past its runtime", (long)process->pid);
}

/* NULL: no stack was cut. */
static const char *describe_cut(const struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->thread_count; i++)
        if (stacks->threads[i].is_cut && !stacks->threads[i].is_left_out)
            return "their outer frames cannot be unwound";
    return NULL;
}

void process_take_seen_threads(struct job *job, struct process *process, const struct stacks *stacks)
{
    process_take_end(job, process, stacks);
    for (size_t i = 0; i < stacks->thread_count; i++)
        take_thread(job, process, stacks, i);
    for (size_t i = 0; i < process->seen_thread_count && process->is_before_mpi; i++)
        if (process->seen_threads[i].function[0] != '\0')
            note_evasion(process);
    const char *why = stacks->reason != NULL ? stacks->reason : describe_cut(stacks);
    if (process->seen_thread_count > 0 || process->reason == NULL || why == NULL)
        return;
    char *tables = process->reason;
    process->reason = format_text("%s; its stacks cannot be read: %s", tables, why);
    free(tables);
}

static void name_call(const struct seen_thread *thread, const struct call_stack *stack)
{
    for (size_t i = 0; i < stack->line_count; i++) {
        struct stack_line *line = &stack->lines[i];
        const uint64_t caller = i + 1 < stack->line_count ? line[1].address : 0; /* 0: nobody of the program */
        if (line->kind == STACK_LINE_MPI && line->function[0] == '\0' && caller == thread->address)
            line->function = thread->function;
    }
}

void process_name_seen_calls(struct process *process)
{
    for (size_t i = 0; i < process->seen_thread_count; i++) {
        const struct call_stack *stack = find_call_stack(process, process->seen_threads[i].tid);
        if (stack != NULL)
            name_call(&process->seen_threads[i], stack);
    }
}

static bool lacks_tables(const struct process *process)
{
    return process->lacks_tables && !process->is_saved && process->seen_thread_count == 0;
}

void job_doubt_silence(struct job *job, bool stacks_were_read)
{
    static const char doubt[] = ", as far as its runtime sees";
    bool evades = false;
    for (size_t i = 0; i < job->process_count; i++)
        evades = evades || job->processes[i].evades_runtime;
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        const bool is_doubtful = evades || (!stacks_were_read && process->lacks_tables);
        if (!is_doubtful || !process->is_before_mpi || process->reason == NULL ||
            strstr(process->reason, doubt) != NULL)
            continue;
        char *reason = format_text("%s%s", process->reason, doubt);
        free(process->reason);
        process->reason = reason;
    }
}

void job_find_seen_threads(struct job *job)
{
    job_read_stacks(job, lacks_tables, process_take_seen_threads);
    job_doubt_silence(job, true);
}

static const struct seen_thread *find_thread(const struct process *process, uint32_t tid)
{
    for (size_t i = 0; i < process->seen_thread_count; i++)
        if (process->seen_threads[i].tid == tid)
            return &process->seen_threads[i];
    return NULL;
}

/* Whether a thread that goes round in a loop may be seen so at any moment. */
static bool is_on_its_way(const struct seen_thread *thread)
{
    const struct mpi_function *facts = thread->function[0] != '\0' ? mpi_function_called(thread->function) : NULL;
    return thread->function[0] == '\0' ||
           (facts != NULL && (facts->call_class == MPILENS_CALL_TEST || facts->call_class == MPILENS_CALL_IPROBE));
}

static bool is_same(const struct seen_thread *before, const struct seen_thread *later)
{
    if (is_on_its_way(before) && is_on_its_way(later))
        return (before->function[0] == '\0' && later->function[0] == '\0') || before->trail == later->trail;
    return strcmp(before->function, later->function) == 0 && before->address == later->address &&
           before->trail == later->trail && !caller_memory_differs(before, later);
}

void process_compare_seen_threads(const struct process *before, struct process *later)
{
    for (size_t i = 0; i < later->seen_thread_count; i++) {
        struct seen_thread *thread = &later->seen_threads[i];
        const struct seen_thread *earlier = find_thread(before, thread->tid);
        thread->unchanged = earlier != NULL && is_same(earlier, thread);
    }
}
