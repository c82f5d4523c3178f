/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the messages under way from one member to another.
 */
#include "matching/matching_internal.h"

#include "target/target.h"

#include "mpilens/layout.h"

#include <string.h>

/* Those that were taken aside. */
static uint64_t count_missing(const struct flow *flow)
{
    return subtract(flow_under_way(flow), flow->taken);
}

static bool is_taken(const struct mpilens_matched_operation *send)
{
    return send->unexpected_at != MPILENS_NO_MEMBER;
}

/* The remembered sends of messages that were not taken. */
static uint64_t count_sends(const struct flow *flow)
{
    uint64_t count = 0;
    for (size_t i = 0; i < flow->send_count; i++)
        count += !is_taken(flow->sends[i]);
    return count;
}

/* Receives of one tag of a flow. */
struct tag {
    int32_t tag;
    size_t next; /* the first that no send was found for */
    size_t end;
};

struct tags {
    struct tag *items;
    size_t count;
};

static int list_tags(const struct flow *flow, struct tags *ret_tags)
{
    struct tags tags = {.items = allocate_array(flow->receive_count, sizeof *tags.items)};
    if (tags.items == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < flow->receive_count; i++) {
        const int32_t tag = flow->receives[i]->actual_tag;
        if (tags.count == 0 || tags.items[tags.count - 1].tag != tag)
            tags.items[tags.count++] = (struct tag){.tag = tag, .next = i};
        tags.items[tags.count - 1].end = i + 1;
    }
    *ret_tags = tags;
    return mqs_ok;
}

/* A receive of the tag for which no send was found yet; NULL: none. */
static struct mpilens_matched_operation *take_receive(const struct flow *flow, const struct tags *tags, int32_t tag)
{
    size_t low = 0;
    for (size_t high = tags->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (tags->items[middle].tag < tag)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == tags->count || tags->items[low].tag != tag || tags->items[low].next == tags->items[low].end)
        return NULL;
    return flow->receives[tags->items[low].next++];
}

static void match(const struct members *members, const struct flow *flow, struct mpilens_matched_operation *send,
                  struct mpilens_matched_operation *receive)
{
    receive->found_arrived =
        send->age_s + flow->ages_delay_s >= receive->age_s + members->items[flow->receiver]->ages_delay_s;
    send->match_rank = members->items[flow->receiver]->world_rank;
    send->match_serial = receive->serial;
    receive->match_rank = members->items[flow->sender]->world_rank;
    receive->match_serial = send->serial;
}

/* Whether it is known which receive got which message. Of messages of one tag, receives get them in the order in which
 * they were sent, but for messages that a matched probe has taken. */
static bool is_all_known(const struct flow *flow)
{
    for (size_t i = 0; i < flow->receive_count; i++)
        if ((flow->receives[i]->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0)
            return false;
    return flow->send_count + flow->partitioned_sent == flow->sent &&
           flow->receive_count + flow->partitioned_received == flow->received;
}

static int mark_wanted(const struct members *members, const struct flow *flow, struct wants *wants, uint64_t *surplus)
{
    for (size_t i = 0; i<flow->send_count && * surplus> 0; i++) {
        struct mpilens_matched_operation *send = flow->sends[i];
        bool wanted = false;
        const int code = send->received || is_taken(send)
                             ? mqs_ok
                             : is_wanted(wants, members, flow->receiver, flow->sender, send->tag, &wanted);
        if (code != mqs_ok)
            return code;
        if (wanted) {
            send->received = true;
            --*surplus;
        }
    }
    return mqs_ok;
}

/* Marks `surplus` of the sends as received, the likeliest first. */
static int mark_received(const struct members *members, const struct flow *flow, struct wants *wants, uint64_t surplus)
{
    const bool is_certain = is_all_known(flow);
    struct tags tags;
    int code = list_tags(flow, &tags);
    if (code != mqs_ok)
        return code;
    for (size_t i = 0; i < flow->send_count && surplus > 0; i++) {
        struct mpilens_matched_operation *send = flow->sends[i];
        struct mpilens_matched_operation *receive = is_taken(send) ? NULL : take_receive(flow, &tags, send->tag);
        if (receive == NULL)
            continue;
        send->received = true;
        if (is_certain)
            match(members, flow, send, receive);
        surplus--;
    }
    release(tags.items);
    /* A receive that is pending and accepts a message would have taken it: such messages went to earlier receives. */
    code = mark_wanted(members, flow, wants, &surplus);
    /* Nothing is known about the others; the first ones have waited longest. */
    for (size_t i = 0; code == mqs_ok && i < flow->send_count && surplus > 0; i++) {
        struct mpilens_matched_operation *send = flow->sends[i];
        if (is_taken(send))
            continue;
        surplus -= !send->received;
        send->received = true;
    }
    return code;
}

static void append(struct under_way *under_way, const struct flow *flow, struct mpilens_matched_operation *send,
                   bool is_doubtful)
{
    under_way->items[under_way->count++] = (struct message){.sender = flow->sender,
                                                            .send = send,
                                                            .age_s = send->age_s + flow->ages_delay_s,
                                                            .tag = send->tag,
                                                            .is_doubtful = is_doubtful};
}

static void count_unknown(const struct flow *flow, uint64_t count, struct under_way *under_way)
{
    flow->channel->unknown += count;
    under_way->unknown += count;
}

/* More may have been received than the channel has counted, at most as much as was lost. */
static void find_doubtful(const struct members *members, const struct flow *flow, struct under_way *under_way)
{
    uint64_t certain = subtract(count_missing(flow), members->items[flow->receiver]->lost_records);
    for (size_t i = 0; i < flow->send_count; i++) {
        struct mpilens_matched_operation *send = flow->sends[i];
        if (send->status != mqs_st_pending || is_taken(send))
            continue;
        append(under_way, flow, send, true);
        certain = subtract(certain, 1);
    }
    count_unknown(flow, certain, under_way);
}

static bool has_lost_records(const struct members *members, const struct flow *flow)
{
    return members->items[flow->sender]->lost_records > 0 || members->items[flow->receiver]->lost_records > 0;
}

int find_under_way(const struct members *members, const struct flow *flow, struct wants *wants,
                   struct under_way *under_way)
{
    if (has_lost_records(members, flow)) {
        find_doubtful(members, flow, under_way);
        return mqs_ok;
    }
    const uint64_t missing = count_missing(flow), remembered = count_sends(flow);
    if (remembered > missing) {
        const int code = mark_received(members, flow, wants, remembered - missing);
        if (code != mqs_ok)
            return code;
    } else {
        count_unknown(flow, missing - remembered, under_way);
    }
    for (size_t i = 0; i < flow->send_count; i++) {
        struct mpilens_matched_operation *send = flow->sends[i];
        if (!send->received && !is_taken(send))
            append(under_way, flow, send, false);
    }
    return mqs_ok;
}

/* Orders ages by the oldest. */
static uint64_t age_key(double age_s)
{
    const double positive_zero = age_s + 0.0;
    uint64_t bits;
    memcpy(&bits, &positive_zero, sizeof bits);
    return bits >> 63 ? bits : ~(bits | UINT64_C(1) << 63);
}

static int sort_by(struct under_way *under_way, struct sort_entry *entries)
{
    struct message *sorted = allocate_array(under_way->count, sizeof *sorted);
    int code = sorted != NULL ? sort_entries(entries, under_way->count) : MPILENS_ERROR_NO_MEMORY;
    if (code != mqs_ok) {
        release(sorted);
        return code;
    }
    for (size_t i = 0; i < under_way->count; i++)
        sorted[i] = *(const struct message *)entries[i].item;
    release(under_way->items);
    under_way->items = sorted;
    return mqs_ok;
}

int under_way_sort(struct under_way *under_way)
{
    struct sort_entry *entries = allocate_array(under_way->count, sizeof *entries);
    if (entries == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < under_way->count; i++) {
        const struct message *message = &under_way->items[i];
        const uint64_t key = age_key(message->age_s);
        const bool comes_after = i > 0 && message[-1].sender == message->sender && entries[i - 1].major > key;
        entries[i] = (struct sort_entry){.major = comes_after ? entries[i - 1].major : key, .item = message};
    }
    const int code = sort_by(under_way, entries);
    release(entries);
    return code;
}

/* The sender of whom the member's last receive of any source found a message that had arrived; in the beginning 0. */
static int32_t last_found_sender(const struct mpilens_matching_member *member)
{
    int32_t last = 0;
    for (size_t i = 0; i < member->completed_count + member->receive_count; i++) {
        const size_t pending = i - member->completed_count;
        const struct mpilens_matched_operation *receive = i < member->completed_count
                                                              ? operation_of(member, member->completed, i)
                                                              : operation_of(member, member->receives, pending);
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->peer_local == -1 &&
            receive->actual_local >= 0 && receive->found_arrived)
            last = receive->actual_local;
    }
    return last;
}

int under_way_put_in_turn(const struct members *members, size_t receiver, struct under_way *under_way)
{
    const int32_t last = last_found_sender(members->items[receiver]);
    struct sort_entry *entries = allocate_array(under_way->count, sizeof *entries);
    int code = entries != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; code == mqs_ok && i < under_way->count; i++)
        entries[i] = (struct sort_entry){.major = under_way->items[i].sender, .item = &under_way->items[i]};
    if (code == mqs_ok)
        code = sort_entries(entries, under_way->count);
    uint64_t round = 0;
    for (size_t i = 0, sender = NO_MEMBER; code == mqs_ok && i < under_way->count; i++) {
        const struct message *message = entries[i].item;
        round = message->sender == sender ? round + 1 : 0;
        sender = message->sender;
        const int32_t rank = members->items[sender]->local_rank;
        entries[i] = (struct sort_entry){
            .major = round, .middle = rank <= last, .minor = signed_key(rank), .item = entries[i].item};
    }
    if (code == mqs_ok)
        code = sort_by(under_way, entries);
    release(entries);
    return code;
}
