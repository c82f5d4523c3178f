/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the flows of a communicator: one for each pair of members with messages.
 */
#include "matching/matching_internal.h"

#include "target/target.h"

#include "mpilens/layout.h"

struct flow *find_flow(const struct flows *flows, size_t receiver, size_t sender)
{
    if (receiver == NO_MEMBER || sender == NO_MEMBER)
        return NULL;
    size_t low = flows->first_flow[receiver];
    const size_t end = flows->first_flow[receiver + 1];
    for (size_t high = end; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (flows->items[middle].sender < sender)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && flows->items[low].sender == sender ? &flows->items[low] : NULL;
}

uint64_t flow_under_way(const struct flow *flow)
{
    return subtract(subtract(flow->sent, flow->received), subtract(flow->partitioned_sent, flow->partitioned_received));
}

static void list_flows(const struct members *members, struct sort_entry *entries, size_t *count)
{
    for (size_t sender = 0; sender < members->count; sender++) {
        const struct mpilens_matching_member *member = members->items[sender];
        for (size_t i = 0; i < member->channel_count; i++) {
            const struct mpilens_message_count *channel = &member->channels[i];
            const size_t receiver = channel->sent > 0
                                        ? find_peer_member(members, sender, channel->peer_local, channel->peer_world)
                                        : NO_MEMBER;
            if (receiver != NO_MEMBER)
                entries[(*count)++] =
                    (struct sort_entry){.major = receiver, .middle = sender, .minor = channel->sent, .item = channel};
        }
    }
}

static void index_flows(const struct members *members, struct flows *flows)
{
    size_t next = 0;
    for (size_t receiver = 0; receiver < members->count; receiver++) {
        flows->first_flow[receiver] = next;
        while (next < flows->count && flows->items[next].receiver == receiver)
            next++;
    }
    flows->first_flow[members->count] = next;
}

static int make_flows(const struct members *members, struct flows *flows)
{
    size_t limit = 0, count = 0;
    for (size_t i = 0; i < members->count; i++)
        limit += members->items[i]->channel_count;
    struct sort_entry *entries = allocate_array(limit, sizeof *entries);
    flows->items = allocate_array(limit, sizeof *flows->items);
    flows->first_flow = allocate_array(members->count + 1, sizeof *flows->first_flow);
    int code = MPILENS_ERROR_NO_MEMORY;
    if (entries != NULL && flows->items != NULL && flows->first_flow != NULL) {
        list_flows(members, entries, &count);
        code = sort_entries(entries, count);
    }
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        flows->items[flows->count++] = (struct flow){.receiver = entries[i].major,
                                                     .sender = entries[i].middle,
                                                     .ages_delay_s = members->items[entries[i].middle]->ages_delay_s,
                                                     .channel = (struct mpilens_message_count *)entries[i].item,
                                                     .sent = entries[i].minor};
    release(entries);
    if (code == mqs_ok)
        index_flows(members, flows);
    return code;
}

static void count_received(const struct members *members, size_t receiver, const struct flows *flows)
{
    const struct mpilens_matching_member *member = members->items[receiver];
    for (size_t i = 0; i < member->channel_count; i++) {
        const struct mpilens_message_count *channel = &member->channels[i];
        const size_t sender = find_peer_member(members, receiver, channel->peer_local, channel->peer_world);
        struct flow *flow = find_flow(flows, receiver, sender);
        if (flow != NULL)
            flow->received = channel->received;
    }
}

/* Handlers of the remembered operations of a flow: each a completed send or receive. */
struct remembering {
    void (*take_send)(struct flow *flow, struct mpilens_matched_operation *send);
    void (*take_receive)(struct flow *flow, struct mpilens_matched_operation *receive);
};

static void remember_send(const struct remembering *how, const struct members *members, const struct flows *flows,
                          size_t sender, struct mpilens_matched_operation *send)
{
    const size_t receiver = find_peer_member(members, sender, send->peer_local, send->peer_world);
    struct flow *flow = find_flow(flows, receiver, sender);
    if (flow != NULL)
        how->take_send(flow, send);
}

static void remember_receive(const struct remembering *how, const struct members *members, const struct flows *flows,
                             size_t receiver, struct mpilens_matched_operation *receive)
{
    const bool is_partitioned = (receive->flags & MPILENS_OPERATION_PARTITIONED) != 0;
    const size_t sender = is_partitioned
                              ? find_peer_member(members, receiver, receive->peer_local, receive->peer_world)
                              : find_peer_member(members, receiver, receive->actual_local, receive->actual_world);
    struct flow *flow = find_flow(flows, receiver, sender);
    if (flow != NULL)
        how->take_receive(flow, receive);
}

/* Receives count only when they are over, as in channels. */
static void remember_operations(const struct remembering *how, const struct members *members, const struct flows *flows,
                                size_t place)
{
    const struct mpilens_matching_member *member = members->items[place];
    for (size_t i = 0; i < member->completed_count; i++) {
        struct mpilens_matched_operation *operation = operation_of(member, member->completed, i);
        if ((operation->flags & MPILENS_OPERATION_CANCELLED) != 0)
            continue;
        if ((operation->flags & MPILENS_OPERATION_SEND) != 0)
            remember_send(how, members, flows, place, operation);
        if ((operation->flags & MPILENS_OPERATION_RECEIVE) != 0)
            remember_receive(how, members, flows, place, operation);
    }
    for (size_t i = 0; i < member->send_count; i++) {
        struct mpilens_matched_operation *operation = operation_of(member, member->sends, i);
        if ((operation->flags & (MPILENS_OPERATION_SEND | MPILENS_OPERATION_CANCELLED)) == MPILENS_OPERATION_SEND)
            remember_send(how, members, flows, place, operation);
    }
}

static void count_send(struct flow *flow, struct mpilens_matched_operation *send)
{
    ++*((send->flags & MPILENS_OPERATION_PARTITIONED) != 0 ? &flow->partitioned_sent : &flow->send_count);
}

static void count_receive(struct flow *flow, struct mpilens_matched_operation *receive)
{
    ++*((receive->flags & MPILENS_OPERATION_PARTITIONED) != 0 ? &flow->partitioned_received : &flow->receive_count);
}

static void add_send(struct flow *flow, struct mpilens_matched_operation *send)
{
    if ((send->flags & MPILENS_OPERATION_PARTITIONED) == 0)
        flow->sends[flow->send_count++] = send;
}

static void add_receive(struct flow *flow, struct mpilens_matched_operation *receive)
{
    if ((receive->flags & MPILENS_OPERATION_PARTITIONED) == 0)
        flow->receives[flow->receive_count++] = receive;
}

/* Gives each flow its part of the arrays, for as many operations as were counted. */
static int make_room(struct flows *flows)
{
    size_t sends = 0, receives = 0;
    for (size_t i = 0; i < flows->count; i++) {
        sends += flows->items[i].send_count;
        receives += flows->items[i].receive_count;
    }
    flows->sends = allocate_array(sends, sizeof *flows->sends);
    flows->receives = allocate_array(receives, sizeof *flows->receives);
    if (flows->sends == NULL || flows->receives == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    sends = receives = 0;
    for (size_t i = 0; i < flows->count; i++) {
        struct flow *flow = &flows->items[i];
        flow->sends = &flows->sends[sends];
        flow->receives = &flows->receives[receives];
        sends += flow->send_count;
        receives += flow->receive_count;
        flow->send_count = flow->receive_count = 0;
    }
    return mqs_ok;
}

/* In the order of posting, `by_tag`: after the tag that was received. `entries`: room for as many. */
static int sort_remembered(struct mpilens_matched_operation **operations, size_t count, bool by_tag,
                           struct sort_entry *entries)
{
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct sort_entry){.major = by_tag ? signed_key(operations[i]->actual_tag) : 0,
                                         .middle = operations[i]->posted,
                                         .minor = operations[i]->serial,
                                         .item = operations[i]};
    const int code = sort_entries(entries, count); /* equal ones keep their order */
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        operations[i] = (struct mpilens_matched_operation *)entries[i].item;
    return code;
}

static int sort_flows(const struct flows *flows)
{
    size_t most = 0;
    for (size_t i = 0; i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        most = flow->send_count > most ? flow->send_count : most;
        most = flow->receive_count > most ? flow->receive_count : most;
    }
    struct sort_entry *entries = allocate_array(most, sizeof *entries);
    int code = entries != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < flows->count; i++) {
        const struct flow *flow = &flows->items[i];
        code = sort_remembered(flow->sends, flow->send_count, false, entries);
        if (code == mqs_ok)
            code = sort_remembered(flow->receives, flow->receive_count, true, entries);
    }
    release(entries);
    return code;
}

int find_flows(const struct members *members, struct flows *ret_flows)
{
    static const struct remembering counting = {count_send, count_receive}, adding = {add_send, add_receive};
    *ret_flows = (struct flows){0};
    int code = make_flows(members, ret_flows);
    if (code != mqs_ok || ret_flows->count == 0)
        return code;
    for (size_t i = 0; i < members->count; i++) {
        count_received(members, i, ret_flows);
        remember_operations(&counting, members, ret_flows, i);
    }
    code = make_room(ret_flows);
    for (size_t i = 0; code == mqs_ok && i < members->count; i++)
        remember_operations(&adding, members, ret_flows, i);
    return code == mqs_ok ? sort_flows(ret_flows) : code;
}

void flows_clear(struct flows *flows)
{
    release(flows->items);
    release(flows->first_flow);
    release(flows->sends);
    release(flows->receives);
    *flows = (struct flows){0};
}
