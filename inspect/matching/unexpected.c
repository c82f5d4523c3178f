/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Infers unexpected messages: those under way that no receive takes.
 */
#include "matching/unexpected.h"

#include "base/allocation.h"
#include "matching/matching.h"

#include <stdlib.h>

static void forget_matches(struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++) {
        struct operation *operation = &operations->items[i];
        operation->match_rank = -1;
        operation->match_serial = 0;
        operation->match_is_possible = false;
        operation->received = false;
    }
}

/* The receiver that is at work. */
struct taker {
    struct members *members;
    size_t receiver;
    struct matching matching;
};

/* Gives the receive its message. `receive` NULL: a matched probe. */
static void take(struct taker *taker, const struct want *want, struct operation *receive)
{
    bool is_possible = false;
    const size_t taken = matching_take(&taker->matching, want, &is_possible);
    if (receive != NULL)
        receive->match_is_possible = is_possible;
    if (taken == NO_MESSAGE)
        return;
    const struct message *message = &taker->matching.messages->items[taken];
    if (message->is_doubtful) {
        if (receive != NULL)
            receive->match_is_possible = true;
        return;
    }
    message->send->match_rank = taker->members->items[taker->receiver].process->rank;
    if (receive == NULL)
        return;
    message->send->match_serial = receive->serial;
    message->send->received = receive->status == mqs_st_complete;
    receive->match_rank = taker->members->items[message->sender].process->rank;
    receive->match_serial = message->send->serial;
}

/* What a receive has got that is complete and not collected: channels count it when it is collected. */
static void take_complete(struct taker *taker, const struct operations *receives)
{
    for (size_t i = 0; i < receives->count; i++) {
        struct operation *receive = &receives->items[i];
        if (receive->status != mqs_st_complete ||
            (receive->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) != 0)
            continue;
        const struct want want = want_of_complete(taker->members, taker->receiver, receive);
        take(taker, &want, receive);
    }
}

/* Matched probes have taken theirs before any receive that waits now. */
static void take_matched(struct taker *taker, const struct communicator *communicator)
{
    for (size_t i = 0; i < communicator->message_count; i++) {
        const struct matched_message *matched = &communicator->messages[i];
        const struct operation receive = {
            .peer_local = matched->source_local, .peer_world = matched->source_world, .tag = matched->tag};
        const struct want want = want_of(taker->members, taker->receiver, &receive);
        take(taker, &want, NULL);
    }
}

static void take_posted(struct taker *taker, const struct operations *receives, bool from_message)
{
    for (size_t i = 0; i < receives->count; i++) {
        struct operation *receive = &receives->items[i];
        if (!awaits_message(receive) || ((receive->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0) != from_message)
            continue;
        const struct want want = want_of(taker->members, taker->receiver, receive);
        take(taker, &want, receive);
    }
}

static void match_receives(struct members *members, size_t receiver, const struct under_way *under_way)
{
    struct communicator *communicator = members->items[receiver].communicator;
    if (under_way->count == 0 || communicator->receives.count + communicator->message_count == 0)
        return;
    struct taker taker = {members, receiver, matching_begin(under_way)};
    /* In the order in which MPI has given messages away. */
    take_complete(&taker, &communicator->receives);
    take_matched(&taker, communicator);
    take_posted(&taker, &communicator->receives, true);
    take_posted(&taker, &communicator->receives, false);
    for (size_t i = 0; i < under_way->count; i++)
        under_way->items[i].send->match_is_possible =
            (under_way->items[i].is_doubtful && taker.matching.states[i] != MESSAGE_FREE) ||
            (taker.matching.states[i] != MESSAGE_TAKEN && matching_is_contested(&taker.matching, i));
    matching_clear(&taker.matching);
}

static void add_unexpected(const struct members *members, const struct message *message, struct operations *unexpected)
{
    unexpected->items = array_append(unexpected->items, &unexpected->count, sizeof *unexpected->items);
    struct operation *entry = &unexpected->items[unexpected->count - 1];
    *entry = *message->send;
    entry->inferred = true;
    entry->status = mqs_st_pending;
    entry->peer_local = members->items[message->sender].communicator->rank;
    entry->peer_world = members->items[message->sender].process->rank;
    entry->actual_local = entry->peer_local;
    entry->actual_world = entry->peer_world;
    entry->actual_tag = entry->tag;
    entry->actual_bytes = entry->bytes;
    entry->request = 0;
    entry->buffer = 0;
}

static void infer_for(struct members *members, size_t receiver, const struct flows *flows)
{
    struct under_way under_way = {0};
    struct wants wants = {0};
    for (size_t i = flows->first_flow[receiver]; i < flows->first_flow[receiver + 1]; i++)
        find_under_way(members, &flows->items[i], &wants, &under_way);
    match_receives(members, receiver, &under_way);
    struct communicator *communicator = members->items[receiver].communicator;
    if (communicator->unexpected.count == 0) {
        for (size_t i = 0; i < under_way.count; i++)
            if (under_way.items[i].send->match_rank < 0 && !under_way.items[i].is_doubtful)
                add_unexpected(members, &under_way.items[i], &communicator->unexpected);
        communicator->unexpected_unknown = under_way.unknown;
    }
    wants_clear(&wants);
    free(under_way.items);
}

static void infer_among(struct members *members)
{
    struct flows flows = find_flows(members);
    for (size_t receiver = 0; receiver < members->count; receiver++)
        infer_for(members, receiver, &flows);
    flows_clear(&flows);
    members_clear(members);
}

void infer_unexpected(struct job *job)
{
    size_t count = 0;
    struct member *all = list_members(job, &count);
    for (size_t i = 0; i < count; i++) {
        forget_matches(&all[i].communicator->sends);
        forget_matches(&all[i].communicator->receives);
        forget_matches(&all[i].communicator->unexpected);
        forget_matches(&all[i].communicator->completed);
    }
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && all[end].id == all[first].id;)
            end++;
        struct members members = {.items = all + first, .count = end - first};
        infer_among(&members);
    }
    free(all);
}
