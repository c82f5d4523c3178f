/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Recognises calls in which nothing is missing.
 */
#include "analysis/stalls/stalls_internal.h"

#include "analysis/calls/calls.h"
#include "analysis/graph/graph.h"
#include "model/model.h"

/* Whether MPI has called a function of the application: one stands within the outermost call of MPI. */
static bool runs_application(const struct call_stack *stack)
{
    size_t end = stack->line_count;
    while (end > 0 && stack->lines[end - 1].kind != STACK_LINE_MPI)
        end--;
    for (size_t i = 0; i < end; i++)
        if (stack->lines[i].kind == STACK_LINE_PROGRAM)
            return true;
    return false;
}

bool library_stack_is_known(const struct process *process, const struct thread *thread)
{
    const struct call_stack *stack = find_call_stack(process, thread->tid);
    for (size_t i = 0; stack != NULL && i < stack->line_count; i++)
        if (stack->lines[i].kind == STACK_LINE_MPI)
            return true;
    return false;
}

static bool is_blocking_call(const struct thread *thread)
{
    switch (thread->call_class) {
    case MPILENS_CALL_POINT_TO_POINT:
    case MPILENS_CALL_WAIT:
    case MPILENS_CALL_COLLECTIVE:
    case MPILENS_CALL_WINDOW:
    case MPILENS_CALL_SYNCHRONIZATION:
    case MPILENS_CALL_ONE_SIDED:
    case MPILENS_CALL_FILE:
    case MPILENS_CALL_FILE_DATA:
        return true;
    case MPILENS_CALL_COMMUNICATOR:
        return thread->purpose != MPILENS_PURPOSE_SPAWN && thread->purpose != MPILENS_PURPOSE_CONNECT;
    default:
        return thread->purpose == MPILENS_PURPOSE_FINALIZE;
    }
}

bool library_may_keep(const struct waits *waits, const struct wait_subject *subject)
{
    const struct thread *thread = subject->thread;
    const struct call_stack *stack = find_call_stack(&waits->job->processes[subject->process], thread->tid);
    return !thread->polling && is_blocking_call(thread) && (stack == NULL || !runs_application(stack));
}

static const struct process *first_with(const struct waits *waits, const struct communicator *communicator)
{
    const struct job_members members = job_index_members(&waits->index, communicator->id);
    return members.count > 0 ? members.items[0].process : NULL;
}

/* Whether nobody runs an operation of the application in it, as far as its members remember. */
static bool has_own_op(const struct collective_round *round)
{
    for (size_t i = 0; i < round->members.count; i++) {
        const struct collective_call *call = collective_round_call(&round->members.items[i], round->serial);
        if (call != NULL && call->has_own_op)
            return true;
    }
    return false;
}

static bool is_whole(const struct collective_round *round, const struct communicator *communicator)
{
    if (round->difference != ROUND_ALIKE || round->members.count < 2 || /* one alone computes */
        round->members.count != (size_t)communicator->size + (size_t)communicator->remote_size)
        return false;
    for (size_t i = 0; i < round->members.count; i++)
        if (!collective_round_has_begun(&round->members.items[i], round->serial))
            return false;
    return !has_own_op(round);
}

static bool all_have_come(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed)
{
    const struct communicator *communicator = subject->communicator;
    if (communicator == NULL)
        return false;
    const struct job_member one = {first_with(waits, communicator), communicator, subject->object};
    if (one.process == NULL)
        return false;
    const struct collective_round *round =
        &known_round_find(waits->rounds, &waits->index, &one, subject->serial)->round;
    if (!is_whole(round, communicator))
        return false;
    for (size_t i = 0; i < round->members.count; i++)
        ranks_add(needed, round->members.items[i].process->rank);
    return true;
}

static bool all_finalize(const struct waits *waits, struct ranks *needed)
{
    const struct job *job = waits->job;
    for (size_t i = 0; i < job->process_count; i++) {
        if (job->processes[i].state != PROCESS_FINALIZING)
            return false;
        ranks_add(needed, job->processes[i].rank);
    }
    return job->absent.count == 0;
}

/* The rank at the other end of a message that has met its partner for sure; -1: it has not, or may not have. */
static int32_t met_partner(const struct operation *operation)
{
    const uint32_t other = MPILENS_OPERATION_BUFFERED | MPILENS_OPERATION_PARTITIONED | MPILENS_OPERATION_CANCELLED |
                           MPILENS_OPERATION_CANCEL_CALLED;
    if (operation->status != mqs_st_pending || (operation->flags & other) != 0 || operation->match_is_possible ||
        operation_is_held(operation))
        return -1;
    return operation->match_rank >= 0 ? operation->match_rank : operation->received ? operation->peer_world : -1;
}

static bool messages_have_met(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed)
{
    const struct thread *thread = subject->thread;
    const struct process *process = &waits->job->processes[subject->process];
    if (thread->waiting_count == 0 || thread->waiting_known != thread->waiting_count ||
        (thread->call_class != MPILENS_CALL_POINT_TO_POINT && thread->call_class != MPILENS_CALL_WAIT))
        return false;
    for (size_t i = 0; i < thread->waiting_known; i++) {
        const struct communicator *communicator = NULL;
        const struct operation *operation = find_operation(process, thread->waiting[i], &communicator);
        const int32_t partner = operation != NULL ? met_partner(operation) : -1;
        if (partner < 0)
            return false;
        ranks_add(needed, partner);
    }
    ranks_add(needed, process->rank);
    return true;
}

static bool epoch_has_met(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed)
{
    if (!window_epoch_is_met(waits, subject->process, subject->thread, needed))
        return false;
    ranks_add(needed, waits->job->processes[subject->process].rank);
    return true;
}

/* A call that accesses memory of others, which the library makes: nobody keeps them locked, or would be awaited. */
static bool access_has_begun(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed)
{
    if (!window_find_targets(waits, subject->process, subject->thread, needed))
        return false;
    ranks_add(needed, waits->job->processes[subject->process].rank);
    return true;
}

bool library_meeting_at(const struct waits *waits, const struct wait_subject *subject, struct ranks *needed)
{
    switch (subject->kind) {
    case SUBJECT_COLLECTIVE:
        return all_have_come(waits, subject, needed);
    case SUBJECT_CALL:
        return all_finalize(waits, needed);
    case SUBJECT_THREAD:
        return messages_have_met(waits, subject, needed) || epoch_has_met(waits, subject, needed) ||
               access_has_begun(waits, subject, needed);
    default:
        return false;
    }
}
