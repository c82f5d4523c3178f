/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads where a process has crashed from its core file.
 */
#include "job/job_internal.h"

#include "base/base.h"
#include "stack/stack.h"
#include "target/target.h"

/* The stack of the thread, to be cleared with all others; NULL: not known. */
static const struct thread_stack *read_stack(struct target *core, pid_t thread, struct site_cache *sites,
                                             struct stacks *ret_stacks)
{
    struct reason reason;
    if (stacks_read(core, sites, ret_stacks, &reason) != 0)
        return NULL;
    for (size_t i = 0; i < ret_stacks->thread_count; i++)
        if (ret_stacks->threads[i].tid == thread)
            return &ret_stacks->threads[i];
    return NULL;
}

struct crash_place crash_place_read(struct target *core, const struct crash *crash, struct site_cache *sites)
{
    struct stacks stacks = {0};
    const struct thread_stack *stack = read_stack(core, crash->thread, sites, &stacks);
    const struct stack_frame *frame = stack != NULL ? stack_find_place(stack) : NULL;
    const char *place = stack != NULL ? arena_take(describe_place(stack)) : NULL,
               *frames = stack != NULL ? arena_take(describe_stack(stack)) : NULL;
    const struct crash_place result = {.stack = arena_text("in thread %ld%s%s", (long)crash->thread,
                                                           place != NULL ? ": " : "", frames != NULL ? frames : ""),
                                       .place = place != NULL ? place : "",
                                       .site = frame != NULL ? frame->site : NULL};
    arena_clear(&stacks.arena);
    return result;
}

static struct target *core_of(const struct process *process)
{
    return process->crash_target != NULL ? process->crash_target : process->target;
}

void job_note_crashes(struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        struct target *core = process->core != NULL ? core_of(process) : NULL;
        struct crash crash;
        if (core == NULL || (process->reason != NULL && !process->lacks_tables) || !target_find_crash(core, &crash))
            continue;
        const struct crash_place place = crash_place_read(core, &crash, &job->sites);
        process->crash_signal = (uint32_t)crash.signal;
        process->crash_thread = crash.thread;
        process->crash_stack = text_pool_add(&job->names, place.stack);
        process->crash_place = text_pool_add(&job->names, place.place);
        process->crash_site = place.site;
    }
}
