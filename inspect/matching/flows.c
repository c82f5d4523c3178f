/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the flows of a communicator: one for each pair of members with messages.
 */
#include "matching/flows.h"

#include "base/allocation.h"

#include <stdlib.h>

static int compare_flows(const void *left_flow, const void *right_flow)
{
    const struct flow *left = left_flow;
    const struct flow *right = right_flow;
    if (left->receiver != right->receiver)
        return left->receiver < right->receiver ? -1 : 1;
    return left->sender < right->sender ? -1 : left->sender > right->sender;
}

static struct flow *find_flow(const struct flows *flows, size_t receiver, size_t sender)
{
    if (receiver == NO_MEMBER || sender == NO_MEMBER)
        return NULL;
    const struct flow wanted = {.receiver = receiver, .sender = sender};
    const size_t first = flows->first_flow[receiver];
    const size_t count = flows->first_flow[receiver + 1] - first;
    return count > 0 ? bsearch(&wanted, flows->items + first, count, sizeof wanted, compare_flows) : NULL;
}

static void add_flows(struct members *members, size_t sender, struct flows *flows)
{
    const struct communicator *communicator = members->items[sender].communicator;
    for (size_t i = 0; i < communicator->channel_count; i++) {
        const struct channel *channel = &communicator->channels[i];
        const size_t receiver =
            channel->sent > 0 ? find_peer_member(members, sender, channel->peer_local, channel->peer_world) : NO_MEMBER;
        if (receiver == NO_MEMBER)
            continue;
        flows->items = array_append(flows->items, &flows->count, sizeof *flows->items);
        flows->items[flows->count - 1] = (struct flow){.sender = sender, .receiver = receiver, .sent = channel->sent};
    }
}

static void sort_flows(const struct members *members, struct flows *flows)
{
    if (flows->count > 0)
        qsort(flows->items, flows->count, sizeof *flows->items, compare_flows);
    flows->first_flow = allocate((members->count + 1) * sizeof *flows->first_flow);
    size_t next = 0;
    for (size_t receiver = 0; receiver < members->count; receiver++) {
        flows->first_flow[receiver] = next;
        while (next < flows->count && flows->items[next].receiver == receiver)
            next++;
    }
    flows->first_flow[members->count] = next;
}

static void count_received(struct members *members, size_t receiver, const struct flows *flows)
{
    const struct communicator *communicator = members->items[receiver].communicator;
    for (size_t i = 0; i < communicator->channel_count; i++) {
        const struct channel *channel = &communicator->channels[i];
        const size_t sender = find_peer_member(members, receiver, channel->peer_local, channel->peer_world);
        struct flow *flow = find_flow(flows, receiver, sender);
        if (flow != NULL)
            flow->received = channel->received;
    }
}

static void append(struct remembered **list, size_t *count, size_t flow, struct operation *operation)
{
    *list = array_append(*list, count, sizeof **list);
    (*list)[*count - 1] = (struct remembered){flow, operation};
}

static void add_send(struct members *members, size_t sender, struct operation *send, struct flows *flows)
{
    struct flow *flow = find_flow(flows, find_peer_member(members, sender, send->peer_local, send->peer_world), sender);
    if (flow == NULL)
        return;
    if ((send->flags & MPILENS_OPERATION_PARTITIONED) != 0)
        flow->partitioned_sent++;
    else
        append(&flows->sends, &flows->send_count, (size_t)(flow - flows->items), send);
}

static void add_receive(struct members *members, size_t receiver, struct operation *receive, struct flows *flows)
{
    const bool is_partitioned = (receive->flags & MPILENS_OPERATION_PARTITIONED) != 0;
    const size_t sender = is_partitioned
                              ? find_peer_member(members, receiver, receive->peer_local, receive->peer_world)
                              : find_peer_member(members, receiver, receive->actual_local, receive->actual_world);
    struct flow *flow = find_flow(flows, receiver, sender);
    if (flow == NULL)
        return;
    if (is_partitioned)
        flow->partitioned_received++;
    else
        append(&flows->receives, &flows->receive_count, (size_t)(flow - flows->items), receive);
}

/* Receives count only when they are over, as in channels. */
static void add_operations(struct members *members, size_t member, struct flows *flows)
{
    const struct communicator *communicator = members->items[member].communicator;
    for (size_t i = 0; i < communicator->completed.count; i++) {
        struct operation *operation = &communicator->completed.items[i];
        if ((operation->flags & MPILENS_OPERATION_CANCELLED) != 0)
            continue;
        if ((operation->flags & MPILENS_OPERATION_SEND) != 0)
            add_send(members, member, operation, flows);
        if ((operation->flags & MPILENS_OPERATION_RECEIVE) != 0)
            add_receive(members, member, operation, flows);
    }
    for (size_t i = 0; i < communicator->sends.count; i++) {
        struct operation *operation = &communicator->sends.items[i];
        if ((operation->flags & (MPILENS_OPERATION_SEND | MPILENS_OPERATION_CANCELLED)) == MPILENS_OPERATION_SEND)
            add_send(members, member, operation, flows);
    }
}

static int compare_posted(const struct operation *left, const struct operation *right)
{
    if (left->posted != right->posted)
        return left->posted < right->posted ? -1 : 1;
    return left->serial < right->serial ? -1 : left->serial > right->serial;
}

static int compare_sends(const void *left_send, const void *right_send)
{
    const struct remembered *left = left_send;
    const struct remembered *right = right_send;
    if (left->flow != right->flow)
        return left->flow < right->flow ? -1 : 1;
    return compare_posted(left->operation, right->operation);
}

static int compare_receives(const void *left_receive, const void *right_receive)
{
    const struct remembered *left = left_receive;
    const struct remembered *right = right_receive;
    if (left->flow != right->flow)
        return left->flow < right->flow ? -1 : 1;
    if (left->operation->actual_tag != right->operation->actual_tag)
        return left->operation->actual_tag < right->operation->actual_tag ? -1 : 1;
    return compare_posted(left->operation, right->operation);
}

static void sort_remembered(struct flows *flows)
{
    if (flows->send_count > 0)
        qsort(flows->sends, flows->send_count, sizeof *flows->sends, compare_sends);
    if (flows->receive_count > 0)
        qsort(flows->receives, flows->receive_count, sizeof *flows->receives, compare_receives);
    for (size_t i = 0; i < flows->send_count; i++) {
        struct flow *flow = &flows->items[flows->sends[i].flow];
        if (flow->send_count++ == 0)
            flow->sends = &flows->sends[i];
    }
    for (size_t i = 0; i < flows->receive_count; i++) {
        struct flow *flow = &flows->items[flows->receives[i].flow];
        if (flow->receive_count++ == 0)
            flow->receives = &flows->receives[i];
    }
}

struct flows find_flows(struct members *members)
{
    struct flows flows = {0};
    for (size_t i = 0; i < members->count; i++)
        add_flows(members, i, &flows);
    sort_flows(members, &flows);
    for (size_t i = 0; i < members->count && flows.count > 0; i++) {
        count_received(members, i, &flows);
        add_operations(members, i, &flows);
    }
    sort_remembered(&flows);
    return flows;
}

void flows_clear(struct flows *flows)
{
    free(flows->items);
    free(flows->first_flow);
    free(flows->sends);
    free(flows->receives);
    *flows = (struct flows){0};
}
