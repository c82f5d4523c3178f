/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The waits of calls for messages: for the operations of its requests, its own send or receive, a message to probe, or
 * the buffered sends that use a buffer.
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>

/* How surely an operation keeps its call from returning. */
enum hindrance {
    HINDERS_NOT,   /* complete, or its partner is there */
    HINDERS_MAYBE, /* a send that may be buffered by MPI */
    HINDERS,
};

static bool waits_for_any_request(const struct thread *thread)
{
    return thread->completion == MPILENS_COMPLETION_ANY || thread->completion == MPILENS_COMPLETION_SOME;
}

static const struct group *peers_of(const struct communicator *communicator)
{
    return communicator->intercommunicator ? communicator->remote_group : communicator->group;
}

void waits_for_any_member(struct waits *waits, uint32_t node, uint32_t process, const struct communicator *communicator)
{
    const struct group *group = peers_of(communicator);
    if (group == NULL) {
        wait_graph_connect(&waits->graph, node, waits->anything);
        return;
    }
    bool is_new;
    const struct shared_key key = {.kind = SUBJECT_MEMBERS, .id = (uint64_t)(uintptr_t)group};
    const uint32_t members = waits_share(
        waits, key, WAITS_FOR_ANY,
        (struct wait_subject){.kind = SUBJECT_MEMBERS, .process = process, .communicator = communicator}, &is_new);
    if (is_new)
        waits_connect_group(waits, members, group);
    wait_graph_connect(&waits->graph, node, members);
}

/* The peer of a send, receive or probe, as a world rank; -1: not known. */
static int32_t find_peer(const struct communicator *communicator, int32_t local, int32_t world)
{
    return world >= 0 || local < 0 ? world : group_world_rank(peers_of(communicator), local);
}

static void connect_peer(struct waits *waits, uint32_t node, uint32_t process, const struct communicator *communicator,
                         int32_t local, int32_t world)
{
    const struct group *group = peers_of(communicator);
    if (local < 0)
        waits_for_any_member(waits, node, process, communicator);
    else if (group != NULL && local >= group->size) /* there is none: the call is in an error handler */
        wait_graph_connect(&waits->graph, node, waits->anything);
    else
        waits_connect_rank(waits, node, find_peer(communicator, local, world));
}

bool operation_is_held(const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_SEND) != 0 && operation->match_rank >= 0 &&
           operation->match_serial == 0 && !operation->match_is_possible && !operation->received;
}

bool operation_has_partner(const struct operation *operation)
{
    return (operation->match_rank >= 0 && !operation_is_held(operation)) || operation->match_is_possible ||
           operation->received;
}

static bool has_sent_within(const struct operations *operations, int receiver, double seconds)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *send = &operations->items[i];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && send->peer_world == receiver && send->age_s <= seconds)
            return true;
    }
    return false;
}

/* Whether what the source has sent there has had time to arrive. */
static bool is_long_sent(const struct waits *waits, const struct process *owner, const struct operation *receive,
                         uint64_t communicator)
{
    const double patience_s = waits->options->patience_s;
    const struct process *source = job_index_process(&waits->index, receive->peer_world);
    const struct communicator *theirs = source != NULL ? find_communicator(source, communicator) : NULL;
    return theirs != NULL && !has_sent_within(&theirs->sends, owner->rank, patience_s) &&
           !has_sent_within(&theirs->completed, owner->rank, patience_s);
}

/* If several receives compete for messages, an older one may have taken this one's message. A receive still pending
 * after the patience got nothing (MPI 4.0, 3.5). */
static bool was_left_without(const struct waits *waits, const struct process *owner, uint64_t communicator,
                             const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_RECEIVE) != 0 && operation->match_rank < 0 &&
           operation->match_is_possible && operation->age_s > waits->options->patience_s &&
           !process_has_lost_records(owner) && is_long_sent(waits, owner, operation, communicator);
}

static enum hindrance message_hinders(const struct waits *waits, const struct process *owner, uint64_t communicator,
                                      const struct operation *operation, bool is_only)
{
    const uint32_t flags = operation->flags;
    if (operation->status != mqs_st_pending ||
        (operation_has_partner(operation) && !was_left_without(waits, owner, communicator, operation)) ||
        (flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_CANCEL_CALLED)) != 0)
        return HINDERS_NOT;
    if ((flags & MPILENS_OPERATION_RECEIVE) != 0)
        return HINDERS;
    if ((flags & MPILENS_OPERATION_BUFFERED) != 0)
        return HINDERS_NOT;
    return is_only || (flags & MPILENS_OPERATION_SYNCHRONOUS) != 0 ? HINDERS : HINDERS_MAYBE;
}

/* For a long message that has met its receive: whether the process at the other end is outside MPI, so that its
 * library cannot act. */
static bool needs_progress_of_peer(const struct waits *waits, const struct operation *operation)
{
    const struct process *peer = operation->status == mqs_st_pending && operation->match_rank >= 0
                                     ? job_index_process(&waits->index, operation->match_rank)
                                     : NULL;
    return peer != NULL && process_is_outside_mpi(peer);
}

/* Partitions that were never marked ready keep a partitioned send from its end: its own process must mark them. */
static bool lacks_partitions(const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_PARTITIONED) != 0 &&
           (operation->flags & MPILENS_OPERATION_SEND) != 0 && operation->details->partitions_marked >= 0 &&
           operation->details->partitions_marked < operation->details->partition_count;
}

uint32_t waits_add_message(struct waits *waits, uint32_t process, const struct operation *operation,
                           const struct communicator *communicator)
{
    const uint32_t node = waits_add(
        waits, WAITS_FOR_ALL,
        (struct wait_subject){
            .kind = SUBJECT_OPERATION, .process = process, .operation = operation, .communicator = communicator});
    if (lacks_partitions(operation))
        wait_graph_connect(&waits->graph, node, waits->process_nodes[process]);
    else
        connect_peer(waits, node, process, communicator, operation->peer_local, operation->peer_world);
    return node;
}

/* Whether the application must complete the request itself: no function of a library does it. */
static bool is_completed_by_application(const struct operation *request)
{
    return operation_class(request) == MPILENS_OPERATION_GENERALIZED &&
           request->details->purpose == MPILENS_PURPOSE_COMPLETE_REQUEST;
}

/* The node of a request that is no message. NO_NODE: it does not hinder, or that is not known. */
static uint32_t add_request(struct waits *waits, uint32_t process, const struct operation *request)
{
    const struct communicator *communicator =
        find_communicator(&waits->job->processes[process], request->details->communicator_id);
    if (!request->complete && is_completed_by_application(request)) {
        const uint32_t own =
            waits_add(waits, WAITS_FOR_ALL,
                      (struct wait_subject){.kind = SUBJECT_OPERATION, .process = process, .request = request});
        wait_graph_connect(&waits->graph, own, waits->process_nodes[process]);
        return own;
    }
    if (communicator == NULL || request->complete ||
        (operation_class(request) != MPILENS_OPERATION_COLLECTIVE &&
         operation_class(request) != MPILENS_OPERATION_COMMUNICATOR))
        return NO_NODE;
    const uint32_t node = waits_add(waits, WAITS_FOR_ALL,
                                    (struct wait_subject){.kind = SUBJECT_OPERATION,
                                                          .process = process,
                                                          .request = request,
                                                          .communicator = communicator,
                                                          .serial = request->details->collective});
    const struct job_member self = {.process = &waits->job->processes[process], .communicator = communicator};
    if (!waits_for_collective(waits, node, &self, request->details->collective))
        wait_graph_connect(&waits->graph, node, waits->anything);
    return node;
}

/* Nodes that a call waits for. */
struct awaited {
    uint32_t *nodes, *maybe;
    size_t count, maybe_count;
    size_t unknown; /* not found, or of a kind that is not judged */
};

static void append(uint32_t **nodes, size_t *count, uint32_t node)
{
    *nodes = array_append(*nodes, count, sizeof **nodes);
    (*nodes)[*count - 1] = node;
}

static void look_at_operation(struct waits *waits, uint32_t process, const struct thread *thread, uint64_t serial,
                              struct awaited *awaited)
{
    const struct process *owner = &waits->job->processes[process];
    const struct communicator *communicator = NULL;
    const struct operation *operation = find_operation(owner, serial, &communicator);
    const bool any = waits_for_any_request(thread);
    if (operation != NULL) {
        const enum hindrance hindrance =
            message_hinders(waits, owner, communicator->id, operation, any || thread->waiting_count == 1);
        if (hindrance == HINDERS || lacks_partitions(operation) ||
            (hindrance == HINDERS_NOT && !any && needs_progress_of_peer(waits, operation)))
            append(&awaited->nodes, &awaited->count, waits_add_message(waits, process, operation, communicator));
        else if (hindrance == HINDERS_MAYBE)
            append(&awaited->maybe, &awaited->maybe_count, waits_add_message(waits, process, operation, communicator));
        else
            awaited->unknown += any;
        return;
    }
    const struct operation *request = find_request(owner, serial);
    const uint32_t node = request != NULL ? add_request(waits, process, request) : NO_NODE;
    if (node != NO_NODE)
        append(&awaited->nodes, &awaited->count, node);
    else
        awaited->unknown++;
}

static bool connect_awaited(struct waits *waits, uint32_t node, bool any, struct awaited *awaited)
{
    struct wait_node *self = &waits->graph.nodes[node];
    const bool hindered = awaited->count > 0;
    /* If nothing else hinders, at least one of the sends that MPI may have buffered does. */
    self->mode = any || !hindered ? WAITS_FOR_ANY : WAITS_FOR_ALL;
    for (size_t i = 0; i < awaited->count; i++)
        wait_graph_connect(&waits->graph, node, awaited->nodes[i]);
    for (size_t i = 0; i < awaited->maybe_count && (any || !hindered); i++)
        wait_graph_connect(&waits->graph, node, awaited->maybe[i]);
    const bool known = awaited->count + awaited->maybe_count > 0 && (awaited->unknown == 0 || (hindered && !any));
    free(awaited->nodes);
    free(awaited->maybe);
    return known;
}

static bool wait_for_requests(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    struct awaited awaited = {.unknown = 0};
    if (thread->waiting_count > thread->waiting_known)
        awaited.unknown = (size_t)(thread->waiting_count - thread->waiting_known);
    for (size_t i = 0; i < thread->waiting_known; i++)
        look_at_operation(waits, process, thread, thread->waiting[i], &awaited);
    return connect_awaited(waits, node, waits_for_any_request(thread), &awaited);
}

static bool message_is_there(const struct communicator *communicator, const struct thread *thread)
{
    for (size_t i = 0; i < communicator->unexpected.count; i++) {
        const struct operation *message = &communicator->unexpected.items[i];
        if ((thread->peer_local < 0 || thread->peer_local == message->peer_local) &&
            (thread->tag_wild || thread->tag == message->tag))
            return true;
    }
    return false;
}

static bool wait_for_probe(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    const struct communicator *communicator =
        find_communicator(&waits->job->processes[process], thread->communicator_id);
    if (communicator == NULL || message_is_there(communicator, thread))
        return false;
    connect_peer(waits, node, process, communicator, thread->peer_local, thread->peer_world);
    return true;
}

/* Adds edges to the ranks that have not received buffered sends of the process. */
static bool wait_for_buffered(struct waits *waits, uint32_t node, uint32_t process)
{
    const int rank = waits->job->processes[process].rank;
    bool found = false;
    for (size_t i = 0; i < waits->index.member_count; i++) {
        const struct job_member *member = &waits->index.members[i];
        for (size_t j = 0; j < member->communicator->unexpected.count; j++) {
            const struct operation *message = &member->communicator->unexpected.items[j];
            if (message->peer_world != rank || (message->flags & MPILENS_OPERATION_BUFFERED) == 0)
                continue;
            waits_connect_rank(waits, node, member->process->rank);
            found = true;
            break;
        }
    }
    return found;
}

bool waits_for_operations(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread)
{
    switch (thread->call_class) {
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
        return wait_for_probe(waits, node, process, thread);
    case MPILENS_CALL_BUFFER:
        return wait_for_buffered(waits, node, process);
    default:
        return wait_for_requests(waits, node, process, thread);
    }
}
