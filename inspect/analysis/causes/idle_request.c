/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds persistent requests that nobody has started.
 */
#include "analysis/causes/causes.h"

static bool is_other_half(const struct operation *request, const struct wait_subject *subject, int rank)
{
    const struct operation *operation = subject->operation;
    const uint32_t other =
        (operation->flags & MPILENS_OPERATION_RECEIVE) != 0 ? MPILENS_OPERATION_SEND : MPILENS_OPERATION_RECEIVE;
    return operation_is_persistent(request) && !operation_is_active(request) && operation_class(request) == other &&
           (request->flags & MPILENS_OPERATION_PARTITIONED) == (operation->flags & MPILENS_OPERATION_PARTITIONED) &&
           request->details->communicator_id == subject->communicator->id && request->peer_world == rank &&
           (request->tag_wild || operation->tag_wild || request->tag == operation->tag);
}

struct idle_request idle_request_find(const struct waits *waits, const struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind != SUBJECT_OPERATION || subject->operation == NULL || !waits->graph.nodes[nodes[i]].dead)
            continue;
        const int rank = waits->job->processes[subject->process].rank;
        const struct process *owner = job_index_process(&waits->index, subject->operation->peer_world);
        for (size_t j = 0; owner != NULL && j < owner->request_count; j++)
            if (is_other_half(&owner->requests[j], subject, rank))
                return (struct idle_request){&owner->requests[j], owner, rank};
    }
    return (struct idle_request){.waiting = -1};
}
