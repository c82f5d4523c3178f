/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the sends of received messages, and the order of a process's sends and receives.
 */
#include "analysis/messages/messages.h"

#include "base/base.h"

#include <stdlib.h>

/* A send, or a receive that has its message. */
struct sided_end {
    uint64_t communicator_id;
    int32_t sender, receiver; /* of the world */
    int32_t tag;
    bool is_receive;
    struct message_end end;
};

struct sided_ends {
    struct sided_end *items;
    size_t count;
};

static bool is_message(const struct operation *operation)
{
    return (operation->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0 &&
           operation_is_active(operation);
}

static int compare_numbers(uint64_t left, uint64_t right)
{
    return left < right ? -1 : left > right;
}

static int compare_order(const struct operation *left, const struct operation *right)
{
    return left->posted != right->posted ? compare_numbers(left->posted, right->posted)
                                         : compare_numbers(left->serial, right->serial);
}

/* Messages of one kind together: of one sender, receiver, communicator and tag; its sends, then its receives. */
static int compare_kinds(const struct sided_end *left, const struct sided_end *right)
{
    if (left->communicator_id != right->communicator_id)
        return compare_numbers(left->communicator_id, right->communicator_id);
    if (left->sender != right->sender)
        return left->sender < right->sender ? -1 : 1;
    if (left->receiver != right->receiver)
        return left->receiver < right->receiver ? -1 : 1;
    return left->tag < right->tag ? -1 : left->tag > right->tag;
}

static int compare_ends(const void *left_end, const void *right_end)
{
    const struct sided_end *left = left_end;
    const struct sided_end *right = right_end;
    const int kinds = compare_kinds(left, right);
    if (kinds != 0)
        return kinds;
    if (left->is_receive != right->is_receive)
        return left->is_receive ? 1 : -1;
    return compare_order(left->end.operation, right->end.operation);
}

static void add_ends(struct sided_ends *ends, const struct process *process, const struct communicator *communicator,
                     const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *operation = &operations->items[i];
        const bool is_receive = (operation->flags & MPILENS_OPERATION_RECEIVE) != 0;
        const bool is_over = is_receive ? operation->status == mqs_st_complete : operation->received;
        if (!is_message(operation) || !is_over)
            continue;
        ends->items = array_append(ends->items, &ends->count, sizeof *ends->items);
        ends->items[ends->count - 1] =
            (struct sided_end){.communicator_id = communicator->id,
                               .sender = is_receive ? operation->actual_world : process->rank,
                               .receiver = is_receive ? process->rank : operation->peer_world,
                               .tag = is_receive ? operation->actual_tag : operation->tag,
                               .is_receive = is_receive,
                               .end = {process, communicator, operation}};
    }
}

static void add_pair(struct message_pairs *pairs, const struct message_end *one, const struct message_end *other)
{
    pairs->items = arena_extend(pairs->items, &pairs->count, 2, sizeof *pairs->items);
    pairs->items[pairs->count - 2] = (struct message_pair){.operation = one->operation, .other = *other};
    pairs->items[pairs->count - 1] = (struct message_pair){.operation = other->operation, .other = *one};
}

const struct channel *message_channel_find(const struct communicator *communicator, int32_t peer)
{
    for (size_t i = 0; communicator != NULL && i < communicator->channel_count; i++)
        if (communicator->channels[i].peer_world == peer)
            return &communicator->channels[i];
    return NULL;
}

static uint64_t count_messages(const struct communicator *communicator, int32_t peer, bool sent)
{
    const struct channel *channel = message_channel_find(communicator, peer);
    return channel == NULL ? 0 : sent ? channel->sent : channel->received;
}

/* Whether the receiver was read after the sender, and has received since then. */
static bool was_read_later(const struct sided_end *send, const struct sided_end *receive)
{
    return count_messages(receive->end.communicator, receive->sender, false) >
           count_messages(send->end.communicator, send->receiver, true);
}

static bool has_other_size(const struct sided_end *send, const struct sided_end *receive)
{
    const int64_t given = send->end.operation->details->bytes, got = receive->end.operation->details->actual_bytes;
    return given >= 0 && got >= 0 && given != got;
}

/* Messages that a matched probe has taken are not received in the order in which they were matched. */
static bool are_in_order(const struct sided_end *receives, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((receives[i].end.operation->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0)
            return false;
    return true;
}

/* Messages of one kind are received in the order in which they are sent (MPI 4.1, section 3.5); the newest are known.
 */
static void pair_kind(struct message_pairs *pairs, const struct sided_end *ends, size_t count)
{
    size_t sends = 0;
    while (sends < count && !ends[sends].is_receive)
        sends++;
    const struct sided_end *receives = ends + sends;
    const size_t received = count - sends, fewer = sends < received ? sends : received;
    if (fewer == 0 || !are_in_order(receives, received) || was_read_later(&ends[0], &receives[0]))
        return;
    for (size_t i = 1; i <= fewer; i++)
        if (!has_other_size(&ends[sends - i], &receives[received - i]))
            add_pair(pairs, &ends[sends - i].end, &receives[received - i].end);
}

static int compare_pairs(const void *left_pair, const void *right_pair)
{
    const struct message_pair *left = left_pair;
    const struct message_pair *right = right_pair;
    return compare_numbers((uintptr_t)left->operation, (uintptr_t)right->operation);
}

struct message_pairs message_history_pair(const struct job *job)
{
    struct sided_ends ends = {.count = 0};
    struct message_pairs pairs = {.count = 0};
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            const struct communicator *communicator = &job->processes[i].communicators[j];
            add_ends(&ends, &job->processes[i], communicator, &communicator->completed);
            add_ends(&ends, &job->processes[i], communicator, &communicator->sends);
            add_ends(&ends, &job->processes[i], communicator, &communicator->receives);
        }
    if (ends.count > 1)
        qsort(ends.items, ends.count, sizeof *ends.items, compare_ends);
    for (size_t first = 0, last; first < ends.count; first = last) {
        for (last = first; last < ends.count && compare_kinds(&ends.items[first], &ends.items[last]) == 0;)
            last++;
        pair_kind(&pairs, &ends.items[first], last - first);
    }
    free(ends.items);
    if (pairs.count > 1)
        qsort(pairs.items, pairs.count, sizeof *pairs.items, compare_pairs);
    return pairs;
}

const struct message_end *message_history_other(const struct message_pairs *pairs, const struct operation *operation)
{
    const struct message_pair wanted = {.operation = operation};
    const struct message_pair *pair =
        pairs->count == 0 ? NULL : bsearch(&wanted, pairs->items, pairs->count, sizeof *pairs->items, compare_pairs);
    return pair != NULL ? &pair->other : NULL;
}

static void add_operations(struct message_history *history, const struct process *process,
                           const struct communicator *communicator, const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        if (!operation_is_active(&operations->items[i]))
            continue;
        history->items = arena_append(history->items, &history->count, sizeof *history->items);
        history->items[history->count - 1] = (struct message_end){process, communicator, &operations->items[i]};
    }
}

static int compare_in_time(const void *left_end, const void *right_end)
{
    const struct message_end *left = left_end;
    const struct message_end *right = right_end;
    return compare_order(left->operation, right->operation);
}

struct message_history message_history_of(const struct process *process)
{
    struct message_history history = {.count = 0};
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        add_operations(&history, process, communicator, &communicator->completed);
        add_operations(&history, process, communicator, &communicator->sends);
        add_operations(&history, process, communicator, &communicator->receives);
    }
    if (history.count > 1)
        qsort(history.items, history.count, sizeof *history.items, compare_in_time);
    return history;
}
