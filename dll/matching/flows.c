/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the flows of a communicator: one for each pair of members with messages.
 */
#include "matching/flows.h"

#include "target/allocator.h"

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

static void add_send(const struct members *members, size_t sender, struct mpilens_matched_operation *send,
                     struct flows *flows)
{
    struct flow *flow = find_flow(flows, find_peer_member(members, sender, send->peer_local, send->peer_world), sender);
    if (flow == NULL)
        return;
    if ((send->flags & MPILENS_OPERATION_PARTITIONED) != 0)
        flow->partitioned_sent++;
    else
        flows->sends[flows->send_count++] = (struct remembered){(size_t)(flow - flows->items), send};
}

static void add_receive(const struct members *members, size_t receiver, struct mpilens_matched_operation *receive,
                        struct flows *flows)
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
        flows->receives[flows->receive_count++] = (struct remembered){(size_t)(flow - flows->items), receive};
}

/* Receives count only when they are over, as in channels. */
static void add_operations(const struct members *members, size_t place, struct flows *flows)
{
    const struct mpilens_matching_member *member = members->items[place];
    for (size_t i = 0; i < member->completed_count; i++) {
        struct mpilens_matched_operation *operation = operation_of(member, member->completed, i);
        if ((operation->flags & MPILENS_OPERATION_CANCELLED) != 0)
            continue;
        if ((operation->flags & MPILENS_OPERATION_SEND) != 0)
            add_send(members, place, operation, flows);
        if ((operation->flags & MPILENS_OPERATION_RECEIVE) != 0)
            add_receive(members, place, operation, flows);
    }
    for (size_t i = 0; i < member->send_count; i++) {
        struct mpilens_matched_operation *operation = operation_of(member, member->sends, i);
        if ((operation->flags & (MPILENS_OPERATION_SEND | MPILENS_OPERATION_CANCELLED)) == MPILENS_OPERATION_SEND)
            add_send(members, place, operation, flows);
    }
}

static int make_room(const struct members *members, struct flows *flows)
{
    size_t sends = 0, receives = 0;
    for (size_t i = 0; i < members->count; i++) {
        sends += members->items[i]->send_count + members->items[i]->completed_count;
        receives += members->items[i]->completed_count;
    }
    flows->sends = allocate_array(sends, sizeof *flows->sends);
    flows->receives = allocate_array(receives, sizeof *flows->receives);
    return flows->sends != NULL && flows->receives != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
}

/* By flow, then as `by_tag` says by the tag that was received, then in the order of posting. */
static int sort_remembered(struct remembered *items, size_t count, bool by_tag)
{
    struct sort_entry *entries = allocate_array(count, sizeof *entries);
    struct remembered *sorted = allocate_array(count, sizeof *sorted);
    int code = entries != NULL && sorted != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        entries[i] = (struct sort_entry){
            .major = items[i].operation->posted, .middle = items[i].operation->serial, .item = &items[i]};
    if (code == mqs_ok)
        code = sort_entries(entries, count);
    for (size_t i = 0; code == mqs_ok && i < count; i++) {
        const struct remembered *item = entries[i].item;
        entries[i] = (struct sort_entry){
            .major = item->flow, .middle = by_tag ? signed_key(item->operation->actual_tag) : 0, .item = item};
    }
    if (code == mqs_ok)
        code = sort_entries(entries, count); /* equal ones keep their order */
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        sorted[i] = *(const struct remembered *)entries[i].item;
    for (size_t i = 0; code == mqs_ok && i < count; i++)
        items[i] = sorted[i];
    release(entries);
    release(sorted);
    return code;
}

static void hand_out_remembered(struct flows *flows)
{
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

int find_flows(const struct members *members, struct flows *ret_flows)
{
    *ret_flows = (struct flows){0};
    int code = make_flows(members, ret_flows);
    if (code == mqs_ok)
        code = make_room(members, ret_flows);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < members->count && ret_flows->count > 0; i++) {
        count_received(members, i, ret_flows);
        add_operations(members, i, ret_flows);
    }
    code = sort_remembered(ret_flows->sends, ret_flows->send_count, false);
    if (code == mqs_ok)
        code = sort_remembered(ret_flows->receives, ret_flows->receive_count, true);
    if (code == mqs_ok)
        hand_out_remembered(ret_flows);
    return code;
}

void flows_clear(struct flows *flows)
{
    release(flows->items);
    release(flows->first_flow);
    release(flows->sends);
    release(flows->receives);
    *flows = (struct flows){0};
}
