/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the waits of calls that all members of a communicator, window or file make, or all processes: MPI_Init and
 * MPI_Finalize.
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "model/model.h"

/* A send of the application that is neither complete nor received, to a rank that will receive nothing any more. */
static bool is_left_over(const struct waits *waits, const struct operation *send)
{
    const struct process *receiver = job_index_process(&waits->index, send->peer_world);
    return send->status == mqs_st_pending && !operation_has_partner(send) && receiver != NULL &&
           process_is_gone(receiver) &&
           (send->flags & (MPILENS_OPERATION_BUFFERED | MPILENS_OPERATION_PARTITIONED | MPILENS_OPERATION_CANCELLED |
                           MPILENS_OPERATION_CANCEL_CALLED)) == 0;
}

/* All have come to MPI_Finalize: some MPIs end there what is under way. Returns how many nodes were connected. */
static size_t connect_left_over_sends(struct waits *waits, uint32_t node)
{
    size_t found = 0;
    for (size_t i = 0; i < waits->job->process_count; i++) {
        const struct process *process = &waits->job->processes[i];
        for (size_t j = 0; process->state == PROCESS_FINALIZING && j < process->communicator_count; j++) {
            const struct communicator *communicator = &process->communicators[j];
            for (size_t k = 0; k < communicator->sends.count; k++) {
                if (!is_left_over(waits, &communicator->sends.items[k]))
                    continue;
                const uint32_t message =
                    waits_add_message(waits, (uint32_t)i, &communicator->sends.items[k], communicator);
                wait_graph_connect(&waits->graph, node, message);
                found++;
            }
        }
    }
    return found;
}

/* Whether a rank that has left may have gone through MPI_Finalize, where others still are: no black box tells. */
static bool may_have_come(const struct waits *waits, const struct process *process, const struct thread *thread)
{
    return process->state == PROCESS_EXITED && process->reason != NULL && thread->age_s <= waits->options->patience_s;
}

/* MPI_Finalize waits for all that have not come to it, MPI_Init for all that have not either. */
static bool wait_for_world(struct waits *waits, uint32_t node, const struct thread *thread)
{
    const bool finalizes = thread->purpose == MPILENS_PURPOSE_FINALIZE;
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_CALL, .function = thread->function};
    const uint32_t shared =
        waits_share(waits, key, WAITS_FOR_ALL, (struct wait_subject){.kind = SUBJECT_CALL}, &is_new);
    wait_graph_connect(&waits->graph, node, shared);
    size_t missing = 0;
    bool is_known = waits->job->absent.count == 0;
    for (size_t i = 0; is_new && i < waits->job->process_count; i++) {
        const struct process *process = &waits->job->processes[i];
        const bool has_come = finalizes ? process->state == PROCESS_FINALIZING || process->state == PROCESS_FINALIZED
                                        : process->state != PROCESS_EXITED && process->reason == NULL;
        if (has_come)
            continue;
        missing++;
        if (finalizes && may_have_come(waits, process, thread))
            is_known = false;
        else
            wait_graph_connect(&waits->graph, shared, waits->process_nodes[i]);
    }
    if (is_new && !is_known)
        wait_graph_connect(&waits->graph, shared, waits->anything);
    if (is_new && is_known && missing == 0 && (!finalizes || connect_left_over_sends(waits, shared) == 0))
        wait_graph_connect(&waits->graph, shared, waits->anything);
    return true;
}

/* Whether all on this side have come, and agree: else they wait for each other. */
static bool is_ready_to_connect(const struct waits *waits, const struct job_member *self, const struct thread *thread,
                                const struct collective_call *call)
{
    if (thread->purpose != MPILENS_PURPOSE_CONNECT || call == NULL)
        return true;
    const struct collective_round *round = &known_round_find(waits->rounds, &waits->index, self, call->serial)->round;
    return round->difference == ROUND_ALIKE && collective_round_has_all(round);
}

bool waits_in_call(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    const struct process *owner = &waits->job->processes[process];
    if (thread->call_class == MPILENS_CALL_ENVIRONMENT)
        return (thread->purpose == MPILENS_PURPOSE_FINALIZE || thread->purpose == MPILENS_PURPOSE_INITIALIZE) &&
               wait_for_world(waits, node, thread);
    if (thread->purpose == MPILENS_PURPOSE_OF_GROUP)
        return waits_for_group(waits, node, process, thread);
    const struct object *object;
    const struct collective_call *call = find_current_collective(owner, thread, &object);
    const uint64_t communicator_id = object != NULL ? object->communicator_id : thread->communicator_id;
    const struct job_member self = {owner, find_communicator(owner, communicator_id), object};
    if (thread->call_class == MPILENS_CALL_COMMUNICATOR && self.communicator != NULL &&
        is_ready_to_connect(waits, &self, thread, call) && waits_for_connection(waits, node, self.communicator, thread))
        return true;
    return call != NULL && waits_for_collective(waits, node, &self, call->serial);
}
