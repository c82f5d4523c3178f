/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to change, by what the cause is made of. The rules are those of MPI 4.0: order and progress of messages (3.5),
 * collective calls (6.14), epochs and locks (12.5).
 */
#include "analysis/remedy.h"

#include "base/allocation.h"

#include <stdlib.h>

const struct process *remedy_only_culprit(const struct waits *waits, const struct cause *cause)
{
    return cause->culprits.count == 1 ? job_index_process(&waits->index, cause->culprits.items[0]) : NULL;
}

char *remedy_of_end(const struct process *culprit)
{
    return format_text("find out why rank %d ended; a rank that gives up should call MPI_Abort", culprit->rank);
}

static char *remedy_of_gone(const struct waits *waits, const struct cause *cause)
{
    const struct process *culprit = remedy_only_culprit(waits, cause);
    if (culprit == NULL || !process_is_gone(culprit))
        return NULL;
    if (culprit->state == PROCESS_EXITED)
        return remedy_of_end(culprit);
    bool is_receive = false, is_send = false;
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->waiters[i]];
        if (!waits->graph.nodes[cause->waiters[i]].dead || subject->kind != SUBJECT_OPERATION ||
            subject->operation == NULL)
            continue;
        is_send = is_send || (subject->operation->flags & MPILENS_OPERATION_SEND) != 0;
        is_receive = is_receive || (subject->operation->flags & MPILENS_OPERATION_RECEIVE) != 0;
    }
    if (is_receive == is_send)
        return NULL;
    return format_text("have rank %d %s once more before MPI_Finalize, or %s once less on the other side: loop counts "
                       "or conditions disagree",
                       culprit->rank, is_receive ? "send" : "receive", is_receive ? "receive" : "send");
}

/* The call in which a thread waits for a window; NULL: none, or a fence. */
static const struct thread *find_waiting_on_window(const struct waits *waits, const struct cause *cause,
                                                   bool *ret_is_fence)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        const struct thread *call = wait_subject_call(subject);
        if (call != NULL && waits->graph.nodes[nodes[i]].dead &&
            (call->call_class == MPILENS_CALL_SYNCHRONIZATION || call->call_class == MPILENS_CALL_WINDOW))
            return call;
        if (waits->graph.nodes[nodes[i]].dead && cause_waits_for_fence(waits, subject)) {
            *ret_is_fence = true;
            return NULL;
        }
    }
    return NULL;
}

static char *remedy_of_window(const struct waits *waits, const struct cause *cause)
{
    bool is_fence = false;
    const struct thread *call = find_waiting_on_window(waits, cause, &is_fence);
    if (call == NULL && !is_fence)
        return NULL;
    const uint32_t purpose = call != NULL ? call->purpose : MPILENS_PURPOSE_WINDOW_FENCE;
    char *culprits = ranks_name(&cause->culprits);
    char *remedy;
    if (call != NULL && is_lock_call(call))
        remedy = format_text("have %s unlock before waiting for another rank", culprits);
    else if (purpose == MPILENS_PURPOSE_WINDOW_START || purpose == MPILENS_PURPOSE_WINDOW_COMPLETE)
        remedy = format_text("have %s call MPI_Win_post, or leave it out of the group of MPI_Win_start", culprits);
    else if (purpose == MPILENS_PURPOSE_WINDOW_WAIT)
        remedy = format_text("have %s call MPI_Win_complete, or leave it out of the group of MPI_Win_post", culprits);
    else
        remedy = format_text(
            "have %s call %s the same number of times as the others: all members of the window must call it", culprits,
            call != NULL ? call->function : "MPI_Win_fence");
    free(culprits);
    return remedy;
}

static char *remedy_of_alone(const struct waits *waits, const struct cause *cause)
{
    if (cause->taken != NULL)
        return copy_text(
            "give the receive from any source a tag or communicator of its own, so that it takes no other messages");
    if (cause->silent != NULL) {
        const int waiting = cause_first_process(waits, cause)->rank;
        return format_text("have rank %d send to rank %d in the topology too, or do not have rank %d receive from it",
                           cause->silent->rank, waiting, waiting);
    }
    if (cause->left_over != NO_NODE)
        return copy_text("receive the message, or do not send it, and wait for every send before MPI_Finalize");
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (subject->kind == SUBJECT_SPAWNED)
            return copy_text("spawn a program that calls MPI_Init");
        if (subject->kind == SUBJECT_OPERATION && subject->request != NULL)
            return copy_text("call MPI_Grequest_complete before waiting for the request, or in another thread");
        if (subject->kind == SUBJECT_OPERATION && subject->operation != NULL)
            return copy_text((subject->operation->flags & MPILENS_OPERATION_PARTITIONED) != 0
                                 ? "mark every partition with MPI_Pready before waiting for the send"
                                 : "start one side of a message to the rank itself with a nonblocking call first");
    }
    return NULL;
}

char *remedy_of(const struct cause_text *text, const struct cause *cause)
{
    char *remedy = remedy_of_message(text->waits, cause);
    if (remedy != NULL)
        return remedy;
    switch (cause->kind) {
    case FINDING_DEADLOCK:
        return remedy_of_cycle(text, cause);
    case FINDING_WAITING_FOR_RANK:
        return remedy_of_gone(text->waits, cause);
    case FINDING_TAG_MISMATCH:
        return copy_text("use the same tag at both places");
    case FINDING_COMMUNICATOR_MISMATCH:
        return copy_text("use the same communicator at both places");
    case FINDING_SIZE_MISMATCH:
        return remedy_of_size();
    case FINDING_SOURCE_MISMATCH:
        return remedy_of_source(text, cause);
    case FINDING_COLLECTIVE_MISMATCH:
        return remedy_of_round(text, cause);
    case FINDING_COLLECTIVE_MISSING:
        return remedy_of_missing(text, cause);
    case FINDING_LOCK_WAIT:
    case FINDING_WINDOW_WAIT:
        return remedy_of_window(text->waits, cause);
    case FINDING_NO_MATCH:
        return remedy_of_alone(text->waits, cause);
    default:
        return NULL;
    }
}
