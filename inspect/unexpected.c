/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unexpected messages: what is under way to a process and none of its receives takes.
 */
#include "unexpected.h"

#include "allocation.h"

#include <stdlib.h>

bool is_peer(const struct member *member, int32_t peer_local, int32_t peer_world, const struct member *other)
{
    if (peer_world >= 0)
        return peer_world == other->process->rank;
    return !member->communicator->intercommunicator && peer_local >= 0 && peer_local == other->communicator->rank;
}

bool awaits_message(const struct operation *receive)
{
    return receive->status != mqs_st_complete &&
           (receive->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0;
}

bool accepts(const struct member *receiver, const struct operation *receive, const struct member *sender, int32_t tag)
{
    const bool any_source = receive->peer_local < 0;
    return (any_source || is_peer(receiver, receive->peer_local, receive->peer_world, sender)) &&
           (receive->tag_wild || receive->tag == tag);
}

/* The message that the receive takes: the first acceptable one of a sender, of several senders' the oldest. */
static struct message_under_way *find_acceptable(const struct member *receiver, const struct operation *receive,
                                                 const struct under_way *under_way)
{
    struct message_under_way *best = NULL;
    for (size_t i = 0; i < under_way->count; i++) {
        struct message_under_way *message = &under_way->items[i];
        if (!message->taken && accepts(receiver, receive, message->sender, message->send->tag) &&
            (best == NULL || message->send->age_s > best->send->age_s))
            best = message;
        if (best != NULL && receive->peer_local >= 0)
            break;
    }
    return best;
}

static void take(struct message_under_way *message, size_t *left)
{
    if (message != NULL) {
        message->taken = true;
        (*left)--;
    }
}

/* Matched probes have taken theirs before any receive that waits now. */
static void take_matched(const struct member *receiver, struct under_way *under_way, size_t *left)
{
    const struct communicator *communicator = receiver->communicator;
    for (size_t i = 0; i<communicator->message_count && * left> 0; i++) {
        const struct matched_message *matched = &communicator->messages[i];
        const struct operation receive = {
            .peer_local = matched->source_local, .peer_world = matched->source_world, .tag = matched->tag};
        take(find_acceptable(receiver, &receive, under_way), left);
    }
}

/* What a receive has got that is complete and not collected: channels count it when it is collected. */
static void take_complete(const struct member *receiver, struct under_way *under_way, size_t *left)
{
    const struct operations *receives = &receiver->communicator->receives;
    for (size_t i = 0; i<receives->count && * left> 0; i++) {
        struct operation receive = receives->items[i];
        if (receive.status != mqs_st_complete || (receive.flags & MPILENS_OPERATION_CANCELLED) != 0)
            continue;
        if (receive.actual_local >= 0) {
            receive.peer_local = receive.actual_local;
            receive.peer_world = receive.actual_world;
            receive.tag = receive.actual_tag;
            receive.tag_wild = false;
        }
        take(find_acceptable(receiver, &receive, under_way), left);
    }
}

static void take_posted(const struct member *receiver, bool from_message, struct under_way *under_way, size_t *left)
{
    const struct operations *receives = &receiver->communicator->receives;
    for (size_t i = 0; i<receives->count && * left> 0; i++) {
        const struct operation *receive = &receives->items[i];
        if (awaits_message(receive) && ((receive->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0) == from_message)
            take(find_acceptable(receiver, receive, under_way), left);
    }
}

static void add_unexpected(const struct message_under_way *message, struct operations *unexpected)
{
    unexpected->items = array_append(unexpected->items, &unexpected->count, sizeof *unexpected->items);
    struct operation *entry = &unexpected->items[unexpected->count - 1];
    *entry = *message->send;
    entry->inferred = true;
    entry->status = mqs_st_pending;
    entry->peer_local = message->sender->communicator->rank;
    entry->peer_world = message->sender->process->rank;
    entry->actual_local = entry->peer_local;
    entry->actual_world = entry->peer_world;
    entry->actual_tag = entry->tag;
    entry->actual_bytes = entry->bytes;
    entry->request = 0;
    entry->buffer = 0;
}

static void infer_for(const struct member *receiver, const struct member *members, size_t member_count)
{
    struct under_way under_way = {0};
    for (size_t i = 0; i < member_count; i++)
        find_under_way(&members[i], receiver, &under_way);
    size_t left = under_way.count;
    take_complete(receiver, &under_way, &left);
    take_matched(receiver, &under_way, &left);
    take_posted(receiver, true, &under_way, &left);
    take_posted(receiver, false, &under_way, &left);
    for (size_t i = 0; i < under_way.count; i++)
        if (!under_way.items[i].taken)
            add_unexpected(&under_way.items[i], &receiver->communicator->unexpected);
    receiver->communicator->unexpected_unknown = under_way.unknown;
    free(under_way.items);
}

static int compare_members(const void *left_member, const void *right_member)
{
    const struct member *left = left_member;
    const struct member *right = right_member;
    if (left->communicator->id != right->communicator->id)
        return left->communicator->id < right->communicator->id ? -1 : 1;
    return left->process->rank < right->process->rank ? -1 : left->process->rank > right->process->rank;
}

void infer_unexpected(struct job *job)
{
    struct member *members = NULL;
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            members = array_append(members, &count, sizeof *members);
            members[count - 1] = (struct member){&job->processes[i], &job->processes[i].communicators[j]};
        }
    if (count > 1)
        qsort(members, count, sizeof *members, compare_members);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && members[end].communicator->id == members[first].communicator->id;)
            end++;
        for (size_t i = first; i < end; i++)
            if (members[i].communicator->unexpected.count == 0)
                infer_for(&members[i], members + first, end - first);
    }
    free(members);
}
