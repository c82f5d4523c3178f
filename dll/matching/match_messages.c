/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Infers unexpected messages: those under way that no receive takes.
 */

#include "matching/matching_internal.h"
#include "target/target.h"

#include "mpilens/layout.h"

static void forget_matches(const struct mpilens_matching_member *member, struct mpilens_matched_operation *operations,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct mpilens_matched_operation *operation = operation_of(member, operations, i);
        operation->match_rank = -1;
        operation->match_serial = 0;
        operation->match_is_possible = false;
        operation->found_arrived = true;
        operation->received = false;
        operation->unexpected_at = MPILENS_NO_MEMBER;
        operation->unexpected_place = 0;
    }
}

static void forget_answers(struct mpilens_matching_member *member)
{
    forget_matches(member, member->sends, member->send_count);
    forget_matches(member, member->receives, member->receive_count);
    forget_matches(member, member->completed, member->completed_count);
    for (size_t i = 0; i < member->channel_count; i++) {
        member->channels[i].unknown = 0;
        member->channels[i].unknown_at = MPILENS_NO_MEMBER;
    }
    member->unexpected_count = member->taken_count;
    member->unexpected_unknown = 0;
}

/* The receiver that is at work. */
struct taker {
    const struct members *members;
    size_t receiver;
    struct matching matching;
};

/* Gives the receive its message. `receive` NULL: a matched probe. */
static void take(struct taker *taker, const struct want *want, struct mpilens_matched_operation *receive)
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
    message->send->match_rank = taker->members->items[taker->receiver]->world_rank;
    if (receive == NULL)
        return;
    message->send->match_serial = receive->serial;
    message->send->received = receive->status == mqs_st_complete;
    receive->match_rank = taker->members->items[message->sender]->world_rank;
    receive->match_serial = message->send->serial;
}

/* Takes the messages of receives that are complete but not collected; channels count them only when collected. */
static void take_complete(struct taker *taker, const struct mpilens_matching_member *member)
{
    for (size_t i = 0; i < member->receive_count; i++) {
        struct mpilens_matched_operation *receive = operation_of(member, member->receives, i);
        if (receive->status != mqs_st_complete ||
            (receive->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) != 0)
            continue;
        const struct want want = want_of_complete(taker->members, taker->receiver, receive);
        take(taker, &want, receive);
    }
}

/* Matched probes have taken theirs before any receive that waits now. */
static void take_matched(struct taker *taker, const struct mpilens_matching_member *member)
{
    for (size_t i = 0; i < member->probed_count; i++) {
        const struct mpilens_probed_message *probed = &member->probed[i];
        const struct mpilens_matched_operation receive = {
            .peer_local = probed->peer_local, .peer_world = probed->peer_world, .tag = probed->tag};
        const struct want want = want_of(taker->members, taker->receiver, &receive);
        take(taker, &want, NULL);
    }
}

static void take_posted(struct taker *taker, const struct mpilens_matching_member *member, bool from_message)
{
    for (size_t i = 0; i < member->receive_count; i++) {
        struct mpilens_matched_operation *receive = operation_of(member, member->receives, i);
        if (!awaits_message(receive) || ((receive->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0) != from_message)
            continue;
        const struct want want = want_of(taker->members, taker->receiver, receive);
        take(taker, &want, receive);
    }
}

static int match_receives(const struct members *members, size_t receiver, const struct under_way *under_way)
{
    const struct mpilens_matching_member *member = members->items[receiver];
    if (under_way->count == 0 || member->receive_count + member->probed_count == 0)
        return mqs_ok;
    struct taker taker = {.members = members, .receiver = receiver};
    const int code = matching_begin(under_way, &taker.matching);
    if (code != mqs_ok)
        return code;
    /* In the order in which MPI has given messages away. */
    take_complete(&taker, member);
    take_matched(&taker, member);
    take_posted(&taker, member, true);
    take_posted(&taker, member, false);
    for (size_t i = 0; i < under_way->count; i++)
        under_way->items[i].send->match_is_possible =
            (under_way->items[i].is_doubtful && taker.matching.states[i] != MESSAGE_FREE) ||
            (taker.matching.states[i] != MESSAGE_TAKEN && matching_is_contested(&taker.matching, i));
    matching_clear(&taker.matching);
    return mqs_ok;
}

/* Reports the rest as unexpected. */
static void tell_unexpected(const struct under_way *under_way, const struct mpilens_matching_member *all,
                            struct mpilens_matching_member *receiver)
{
    if (receiver->is_exact)
        return;
    for (size_t i = 0; i < under_way->count; i++) {
        struct mpilens_matched_operation *send = under_way->items[i].send;
        if (send->match_rank >= 0 || under_way->items[i].is_doubtful)
            continue;
        send->unexpected_at = (uint32_t)(receiver - all);
        send->unexpected_place = (uint32_t)receiver->unexpected_count++;
    }
    receiver->unexpected_unknown = under_way->unknown;
}

/* Assigns the messages of which senders know only the number. */
static void tell_unknown(const struct flows *flows, size_t receiver, const struct mpilens_matching_member *all,
                         const struct mpilens_matching_member *member)
{
    for (size_t i = flows->first_flow[receiver]; i < flows->first_flow[receiver + 1]; i++) {
        struct mpilens_message_count *channel = flows->items[i].channel;
        if (member->is_exact)
            channel->unknown = 0;
        if (channel->unknown > 0)
            channel->unknown_at = (size_t)(member - all);
    }
}

static int infer_for(const struct members *members, size_t receiver, const struct flows *flows,
                     const struct mpilens_matching_member *all)
{
    size_t limit = 0;
    for (size_t i = flows->first_flow[receiver]; i < flows->first_flow[receiver + 1]; i++)
        limit += flows->items[i].send_count;
    struct under_way under_way = {.items = allocate_array(limit, sizeof *under_way.items)};
    struct wants wants = {0};
    int code = under_way.items != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok)
        code = match_taken(members, receiver, flows, all);
    for (size_t i = flows->first_flow[receiver]; code == mqs_ok && i < flows->first_flow[receiver + 1]; i++)
        code = find_under_way(members, &flows->items[i], &wants, &under_way);
    if (code == mqs_ok)
        code = under_way_sort(&under_way);
    if (code == mqs_ok)
        code = match_receives(members, receiver, &under_way);
    if (code == mqs_ok && members->items[receiver]->senders_in_turn)
        code = under_way_put_in_turn(members, receiver, &under_way);
    if (code == mqs_ok) {
        tell_unexpected(&under_way, all, members->items[receiver]);
        tell_unknown(flows, receiver, all, members->items[receiver]);
    }
    wants_clear(&wants);
    release(under_way.items);
    return code;
}

static int infer_among(const struct members *members, const struct mpilens_matching_member *all)
{
    struct flows flows;
    int code = find_flows(members, &flows);
    for (size_t receiver = 0; code == mqs_ok && receiver < members->count; receiver++)
        code = infer_for(members, receiver, &flows, all);
    flows_clear(&flows);
    return code;
}

/* Groups members by communicator, in the given order within each. */
static int sort_members(struct mpilens_matching_member *members, size_t count, struct sort_entry *entries)
{
    for (size_t i = 0; i < count; i++)
        entries[i] = (struct sort_entry){.major = members[i].communicator_id, .minor = i, .item = &members[i]};
    return sort_entries(entries, count);
}

static int infer_all(struct mpilens_matching_member *all, const struct sort_entry *entries, size_t count,
                     struct members *members)
{
    int code = mqs_ok;
    for (size_t first = 0, end; code == mqs_ok && first < count; first = end) {
        members->count = 0;
        for (end = first; end < count && entries[end].major == entries[first].major; end++)
            members->items[members->count++] = &all[entries[end].minor];
        code = members_settle(members);
        if (code == mqs_ok)
            code = infer_among(members, all);
    }
    return code;
}

int match_messages(struct mpilens_matching_member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        forget_answers(&members[i]);
    struct sort_entry *entries = allocate_array(count, sizeof *entries);
    struct members of_one;
    int code = members_begin(&of_one, count);
    if (entries == NULL)
        code = MPILENS_ERROR_NO_MEMORY;
    if (code == mqs_ok)
        code = sort_members(members, count, entries);
    if (code == mqs_ok)
        code = infer_all(members, entries, count, &of_one);
    members_clear(&of_one);
    release(entries);
    return code;
}
