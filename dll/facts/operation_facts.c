/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Works out the facts about an operation from its record.
 */
#include "facts/facts.h"

int64_t bytes_of(int64_t count, const struct mpilens_datatype *datatype)
{
    if (count < 0 || datatype == NULL || datatype->size < 0)
        return -1;
    if (datatype->size > 0 && count > INT64_MAX / datatype->size)
        return -1;
    return count * datatype->size;
}

int32_t peer_world_rank(const struct communicator_view *communicator, int64_t peer)
{
    if (communicator->record == NULL)
        return -1;
    bool is_inter = communicator->record->flags & MPILENS_COMMUNICATOR_INTER;
    return group_ranks_world(is_inter ? communicator->remote_group : communicator->group, peer);
}

int32_t operation_status(const struct mpilens_operation *operation)
{
    switch (operation->state) {
    case MPILENS_OPERATION_MATCHED:
        return mqs_st_matched;
    case MPILENS_OPERATION_COMPLETE:
    case MPILENS_OPERATION_RETIRED:
        return mqs_st_complete;
    default:
        return mqs_st_pending;
    }
}

/* For a receive whose message is known: the received amount, or the requested one if the record does not tell. */
static void set_received(const struct mpilens_process *process, const struct mpilens_operation *operation,
                         struct operation_facts *facts)
{
    facts->actual_local = facts->peer_local;
    if (!facts->tag_wild)
        facts->actual_tag = facts->tag;
    if (operation->actual_source >= 0 && operation->actual_source != process->any_source)
        facts->actual_local = operation->actual_source;
    if (operation->actual_tag >= 0 && operation->actual_tag != process->any_tag)
        facts->actual_tag = operation->actual_tag;
    if (operation->actual_bytes <= INT64_MAX)
        facts->actual_bytes = (int64_t)operation->actual_bytes;
    /* The library need not say how long a message was that did not fit. */
    if ((operation->flags & MPILENS_OPERATION_TRUNCATED) && facts->actual_bytes <= facts->bytes)
        facts->actual_bytes = -1;
}

static bool is_matched(const struct mpilens_operation *operation)
{
    return (operation->state == MPILENS_OPERATION_MATCHED || operation->state == MPILENS_OPERATION_COMPLETE ||
            operation->state == MPILENS_OPERATION_RETIRED) &&
           !(operation->flags & MPILENS_OPERATION_CANCELLED);
}

struct operation_facts operation_facts_get(const struct reading *reading, const struct communicator_view *communicator,
                                           const struct mpilens_operation *operation)
{
    const struct mpilens_process *process = &reading->root.process;
    struct operation_facts facts = {
        .is_send = operation->flags & MPILENS_OPERATION_SEND,
        .peer_local = -1,
        .peer_world = -1,
        .tag = operation->tag,
        .actual_local = -1,
        .actual_world = -1,
        .actual_tag = -1,
        .actual_bytes = -1,
        .count = operation->count <= INT64_MAX ? (int64_t)operation->count : -1,
        .datatype = snapshot_datatype(&reading->snapshot, operation->datatype),
    };
    facts.bytes = bytes_of(facts.count, facts.datatype);
    facts.tag_wild = !facts.is_send && operation->tag == process->any_tag;
    if (facts.is_send || operation->peer != process->any_source) {
        facts.peer_local = operation->peer;
        facts.peer_world = peer_world_rank(communicator, operation->peer);
    }
    if (facts.is_send) {
        facts.actual_local = facts.peer_local;
        facts.actual_tag = facts.tag;
        facts.actual_bytes = facts.bytes;
    } else if (is_matched(operation)) {
        set_received(process, operation, &facts);
    }
    facts.actual_world = peer_world_rank(communicator, facts.actual_local);
    return facts;
}
