/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the messages under way from one member to another.
 */
#include "matching/under_way.h"

#include "base/allocation.h"
#include "model/lost_records.h"

#include <stdlib.h>

static uint64_t subtract(uint64_t from, uint64_t number)
{
    return from > number ? from - number : 0;
}

/* How many messages are under way. Channels count partitioned messages, which match only each other and are never
 * unexpected. */
static uint64_t count_missing(const struct flow *flow)
{
    return subtract(subtract(flow->sent, flow->received), subtract(flow->partitioned_sent, flow->partitioned_received));
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

static struct tags list_tags(const struct flow *flow)
{
    struct tags tags = {0};
    for (size_t i = 0; i < flow->receive_count; i++) {
        const int32_t tag = flow->receives[i].operation->actual_tag;
        if (tags.count == 0 || tags.items[tags.count - 1].tag != tag) {
            tags.items = array_append(tags.items, &tags.count, sizeof *tags.items);
            tags.items[tags.count - 1] = (struct tag){.tag = tag, .next = i};
        }
        tags.items[tags.count - 1].end = i + 1;
    }
    return tags;
}

static int compare_tags(const void *left_tag, const void *right_tag)
{
    const int32_t left = ((const struct tag *)left_tag)->tag;
    const int32_t right = ((const struct tag *)right_tag)->tag;
    return left < right ? -1 : left > right;
}

/* A receive of the tag for which no send was found yet; NULL: none. */
static struct operation *take_receive(const struct flow *flow, const struct tags *tags, int32_t tag)
{
    const struct tag wanted = {.tag = tag};
    struct tag *found =
        tags->count > 0 ? bsearch(&wanted, tags->items, tags->count, sizeof *tags->items, compare_tags) : NULL;
    return found != NULL && found->next < found->end ? flow->receives[found->next++].operation : NULL;
}

static void match(const struct members *members, const struct flow *flow, struct operation *send,
                  struct operation *receive)
{
    send->match_rank = members->items[flow->receiver].process->rank;
    send->match_serial = receive->serial;
    receive->match_rank = members->items[flow->sender].process->rank;
    receive->match_serial = send->serial;
}

/* Whether it is known which receive got which message. Of messages of one tag, receives get them in the order in which
 * they were sent, but for messages that a matched probe has taken. */
static bool is_all_known(const struct flow *flow)
{
    for (size_t i = 0; i < flow->receive_count; i++)
        if ((flow->receives[i].operation->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0)
            return false;
    return flow->send_count + flow->partitioned_sent == flow->sent &&
           flow->receive_count + flow->partitioned_received == flow->received;
}

/* Marks `surplus` of the sends as received, the likeliest first. */
static void mark_received(struct members *members, const struct flow *flow, struct wants *wants, uint64_t surplus)
{
    const bool is_certain = is_all_known(flow);
    struct tags tags = list_tags(flow);
    for (size_t i = 0; i < flow->send_count && surplus > 0; i++) {
        struct operation *send = flow->sends[i].operation;
        struct operation *receive = take_receive(flow, &tags, send->tag);
        if (receive == NULL)
            continue;
        send->received = true;
        if (is_certain)
            match(members, flow, send, receive);
        surplus--;
    }
    free(tags.items);
    /* A receive that is pending and accepts a message would have taken it: such messages went to earlier receives. */
    for (size_t i = 0; i < flow->send_count && surplus > 0; i++) {
        struct operation *send = flow->sends[i].operation;
        if (!send->received && is_wanted(wants, members, flow->receiver, flow->sender, send->tag)) {
            send->received = true;
            surplus--;
        }
    }
    /* Of the others nothing is known; the first ones have waited longest. */
    for (size_t i = 0; i < flow->send_count && surplus > 0; i++) {
        struct operation *send = flow->sends[i].operation;
        surplus -= !send->received;
        send->received = true;
    }
}

static void append(struct under_way *under_way, const struct message message)
{
    under_way->items = array_append(under_way->items, &under_way->count, sizeof *under_way->items);
    under_way->items[under_way->count - 1] = message;
}

/* More may have been received than the channel has counted, at most as much as was lost. */
static void find_doubtful(const struct members *members, const struct flow *flow, struct under_way *under_way)
{
    const struct process *receiver = members->items[flow->receiver].process;
    uint64_t certain = subtract(count_missing(flow), count_lost_records(receiver));
    for (size_t i = 0; i < flow->send_count; i++) {
        struct operation *send = flow->sends[i].operation;
        if (send->status != mqs_st_pending)
            continue;
        append(under_way, (struct message){.sender = flow->sender, .send = send, .is_doubtful = true});
        certain = subtract(certain, 1);
    }
    under_way->unknown += certain;
}

static bool has_lost_records(const struct members *members, const struct flow *flow)
{
    return process_has_lost_records(members->items[flow->sender].process) ||
           process_has_lost_records(members->items[flow->receiver].process);
}

void find_under_way(struct members *members, const struct flow *flow, struct wants *wants, struct under_way *under_way)
{
    if (has_lost_records(members, flow)) {
        find_doubtful(members, flow, under_way);
        return;
    }
    const uint64_t missing = count_missing(flow);
    if (flow->send_count > missing)
        mark_received(members, flow, wants, flow->send_count - missing);
    else
        under_way->unknown += missing - flow->send_count;
    for (size_t i = 0; i < flow->send_count; i++) {
        struct operation *send = flow->sends[i].operation;
        if (!send->received)
            append(under_way, (struct message){.sender = flow->sender, .send = send});
    }
}
