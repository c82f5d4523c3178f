/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looks for MPI_Init in what stacks tell.
 */
#include "analysis/stalls/stalls_internal.h"

#include "base/base.h"
#include "stack/stack.h"

static bool initializes(const char *called)
{
    const struct mpi_function *function = mpi_function_called(called);
    return function != NULL && function->purpose == MPILENS_PURPOSE_INITIALIZE;
}

static const struct seen_thread *seen_start_up_find_initializing(const struct process *process)
{
    for (size_t i = 0; process->lacks_tables && i < process->seen_thread_count; i++)
        if (process->seen_threads[i].function[0] != '\0' && initializes(process->seen_threads[i].function))
            return &process->seen_threads[i];
    return NULL;
}

static bool is_beyond(const struct process *process)
{
    for (size_t i = 0; i < process->seen_thread_count; i++)
        if (process->seen_threads[i].function[0] != '\0' && !initializes(process->seen_threads[i].function))
            return true;
    return process->reason == NULL && process->state != PROCESS_INITIALIZING;
}

bool seen_start_up_is(const struct job *job)
{
    bool is_any = false;
    for (size_t i = 0; i < job->process_count; i++) {
        if (is_beyond(&job->processes[i]))
            return false;
        is_any = is_any || seen_start_up_find_initializing(&job->processes[i]) != NULL;
    }
    return is_any;
}

const char *seen_start_up_describe_cause(const struct job *job, struct ranks *ranks, const char **ret_remedy)
{
    struct ranks kept = {0};
    struct start_up_cause first = {.text = NULL};
    const char *text = NULL;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct seen_thread *thread = seen_start_up_find_initializing(&job->processes[i]);
        struct start_up_cause cause;
        if (thread == NULL || !start_up_cause_find(&job->processes[i], thread->tid, &cause))
            continue;
        if (first.text == NULL)
            first = cause;
        ranks_add(&kept, job->processes[i].rank);
    }
    ranks_finish(&kept);
    if (first.text != NULL) {
        FILE *stream = arena_open();
        start_up_cause_write(stream, &kept, &first);
        text = arena_close(stream);
        ranks_add_all(ranks, &kept);
        *ret_remedy = start_up_cause_remedy(first.kind);
    }
    return text;
}

void seen_start_up_add_evidence(const struct process *process, struct finding *finding)
{
    const struct seen_thread *thread = seen_start_up_find_initializing(process);
    const struct call_stack *stack = thread != NULL ? find_call_stack(process, thread->tid) : NULL;
    if (stack != NULL && stack->inside != NULL && stack->inside[0] != '\0')
        evidence_add_text(&finding->evidence, process->rank, arena_text("inside MPI: %s", stack->inside));
    if (thread != NULL)
        add_manager_evidence(process, finding);
}
