/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Searches the flight recorder for earlier messages like one that is waited for.
 */
#include "analysis/messages/messages.h"

#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>

/* A message of the same kind as the wanted one, or as the one that lies there instead. */
struct sent {
    const struct operation *send;
    bool is_wanted;   /* else it is like the other one */
    bool to_receiver; /* else to another rank */
};

struct history {
    struct sent *items; /* in the order in which they were sent, without the message that lies there */
    size_t count;
    bool is_whole; /* of those to the receiver none is forgotten */
};

static bool is_message(const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_SEND) != 0 &&
           (operation->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0;
}

static bool has_wanted_tag(const struct wanted_message *wanted, const struct operation *send)
{
    return wanted->tag_wild || send->tag == wanted->tag;
}

static void add_sent(const struct operations *operations, const struct wanted_message *wanted, bool is_wanted_place,
                     const struct operation *other, struct history *history)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *send = &operations->items[i];
        const bool is_wanted = is_wanted_place && has_wanted_tag(wanted, send);
        if (!is_message(send) || (other != NULL && send->serial == other->serial) ||
            (!is_wanted && (other == NULL || send->tag != other->tag)))
            continue;
        history->items = array_append(history->items, &history->count, sizeof *history->items);
        history->items[history->count - 1] = (struct sent){send, is_wanted, send->peer_world == wanted->receiver->rank};
    }
}

static int compare_sent(const void *left_sent, const void *right_sent)
{
    const uint64_t left = ((const struct sent *)left_sent)->send->posted;
    const uint64_t right = ((const struct sent *)right_sent)->send->posted;
    return left < right ? -1 : left > right;
}

static bool remembers_all(const struct communicator *theirs, const struct process *receiver)
{
    const struct channel *channel = message_channel_find(theirs, receiver->rank);
    uint64_t remembered = 0;
    for (size_t i = 0; i < theirs->completed.count; i++)
        remembered +=
            is_message(&theirs->completed.items[i]) && theirs->completed.items[i].peer_world == receiver->rank;
    for (size_t i = 0; i < theirs->sends.count; i++)
        remembered += is_message(&theirs->sends.items[i]) && theirs->sends.items[i].peer_world == receiver->rank;
    return channel == NULL || remembered >= channel->sent;
}

/* `other`: the message that lies there, of the sender, on the communicator `place`; NULL: only what is like the wanted
 * one. */
static struct history find_history(const struct process *sender, const struct wanted_message *wanted,
                                   const struct communicator *place, const struct operation *other)
{
    struct history history = {.is_whole = true};
    const struct communicator *const communicators[] = {wanted->communicator, place};
    for (size_t i = 0; i < 2; i++) {
        const struct communicator *theirs = communicators[i] != NULL && (i == 0 || communicators[1] != communicators[0])
                                                ? find_communicator(sender, communicators[i]->id)
                                                : NULL;
        if (theirs == NULL)
            continue;
        const struct operation *here = communicators[i] == place ? other : NULL;
        add_sent(&theirs->completed, wanted, i == 0, here, &history);
        add_sent(&theirs->sends, wanted, i == 0, here, &history);
        history.is_whole = history.is_whole && remembers_all(theirs, wanted->receiver);
    }
    if (history.count > 1)
        qsort(history.items, history.count, sizeof *history.items, compare_sent);
    return history;
}

/* Messages of both kinds to one rank until some moment. */
struct tally {
    int32_t rank;
    size_t wanted, others;
};

static struct tally count_to(const struct history *history, int32_t rank, uint64_t until)
{
    struct tally tally = {.rank = rank};
    for (size_t i = 0; i < history->count; i++) {
        const struct sent *sent = &history->items[i];
        if (sent->send->peer_world != rank)
            continue;
        tally.wanted += sent->is_wanted && sent->send->posted < until;
        tally.others += !sent->is_wanted;
    }
    return tally;
}

/* Whether another rank has got more of the wanted kind before this message than the receiver has, and as many of its
 * own kind. */
static bool others_have_got_it(const struct history *history, const struct wanted_message *wanted,
                               const struct operation *message)
{
    enum { MOST_COMPARED = 8 };
    const struct tally here = count_to(history, wanted->receiver->rank, UINT64_MAX);
    int32_t last = wanted->receiver->rank;
    for (size_t i = history->count, compared = 0; history->is_whole && i > 0 && compared < MOST_COMPARED; i--) {
        const int32_t rank = history->items[i - 1].send->peer_world;
        if (rank == wanted->receiver->rank || rank == last)
            continue;
        const struct tally there = count_to(history, rank, message->posted);
        if (there.wanted > here.wanted && there.others >= here.others + 1)
            return true;
        last = rank;
        compared++;
    }
    return false;
}

/* Which of the two kinds the message shares its place or size with. */
struct likeness {
    bool knows_wanted, wanted_place, other_place, other_size, went_between;
};

static struct likeness find_likeness(const struct history *history, const struct operation *message)
{
    struct likeness likeness = {.knows_wanted = false};
    for (size_t i = 0; i < history->count; i++) {
        const struct sent *sent = &history->items[i];
        if (sent->is_wanted) {
            likeness.knows_wanted = true;
            likeness.wanted_place |= site_is_same(sent->send->details->site, message->details->site);
        } else if (sent->send->received) {
            likeness.other_place |= site_is_same(sent->send->details->site, message->details->site);
            likeness.other_size |= sent->to_receiver && sent->send->details->bytes == message->details->bytes;
            likeness.went_between |= sent->to_receiver;
        }
    }
    return likeness;
}

/* How often a process has sent the wanted tag and the message's tag at the message's place. */
struct at_place {
    size_t wanted, other;
};

static void count_at_place(const struct operations *operations, const struct wanted_message *wanted,
                           const struct operation *message, struct at_place *counts)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *send = &operations->items[i];
        if (!is_message(send) || !site_is_same(send->details->site, message->details->site))
            continue;
        counts->wanted += send->tag == wanted->tag;
        counts->other += send->tag == message->tag;
    }
}

static struct at_place find_at_place(const struct communicator *communicator, const struct wanted_message *wanted,
                                     const struct operation *message)
{
    struct at_place counts = {.wanted = 0};
    count_at_place(&communicator->completed, wanted, message, &counts);
    count_at_place(&communicator->sends, wanted, message, &counts);
    return counts;
}

/* Whether all others that send there have sent the wanted tag more often than the sender, and the other tag less often.
 */
static bool others_send_wanted_tag(const struct job_index *index, const struct wanted_message *wanted,
                                   const struct process *sender, const struct near_miss *miss)
{
    enum { MOST_COMPARED = 64 };
    const struct communicator *theirs = find_communicator(sender, wanted->communicator->id);
    const struct job_members members = job_index_members(index, wanted->communicator->id);
    if (miss->kind != FINDING_TAG_MISMATCH || theirs == NULL || process_has_lost_records(sender))
        return false;
    const struct at_place own = find_at_place(theirs, wanted, miss->message);
    size_t others = 0;
    for (size_t i = 0; i < members.count && i < MOST_COMPARED; i++) {
        const struct job_member *member = &members.items[i];
        if (member->process == sender || process_has_lost_records(member->process))
            continue;
        const struct at_place counts = find_at_place(member->communicator, wanted, miss->message);
        if (counts.wanted + counts.other == 0)
            continue;
        if (counts.wanted <= own.wanted || counts.other >= own.other)
            return false;
        others++;
    }
    return others > 0;
}

bool sent_before_is_routine(const struct job_index *index, const struct wanted_message *wanted,
                            const struct near_miss *miss)
{
    const struct process *sender = job_index_process(index, miss->message->peer_world);
    if (sender == NULL || miss->kind == FINDING_SOURCE_MISMATCH || others_send_wanted_tag(index, wanted, sender, miss))
        return false;
    struct history history = find_history(sender, wanted, miss->communicator, miss->message);
    const struct likeness likeness = find_likeness(&history, miss->message);
    bool is_routine;
    if (likeness.knows_wanted && likeness.wanted_place != likeness.other_place)
        is_routine = likeness.other_place;
    else if (likeness.went_between)
        is_routine = likeness.other_size || miss->message->details->bytes != wanted->bytes;
    else
        is_routine = others_have_got_it(&history, wanted, miss->message);
    free(history.items);
    return is_routine;
}

/* The pattern in which messages of another kind came between the wanted ones, at the receiver. */
struct rhythm {
    size_t wanted;         /* of the wanted kind */
    size_t before;         /* others before the first of them */
    size_t most_between;   /* others between two of them */
    size_t since;          /* others after the last of them */
    size_t received_since; /* of these, received */
};

static struct rhythm find_rhythm(const struct history *history)
{
    struct rhythm rhythm = {.wanted = 0};
    for (size_t i = 0; i < history->count; i++) {
        const struct sent *sent = &history->items[i];
        if (!sent->to_receiver)
            continue;
        if (!sent->is_wanted) {
            rhythm.since++;
            rhythm.received_since += sent->send->received;
            continue;
        }
        if (rhythm.wanted == 0)
            rhythm.before = rhythm.since;
        else if (rhythm.since > rhythm.most_between)
            rhythm.most_between = rhythm.since;
        rhythm.since = rhythm.received_since = 0;
        rhythm.wanted++;
    }
    return rhythm;
}

static bool is_later(const struct job_index *index, const struct wanted_message *wanted,
                     const struct operation *message)
{
    const struct process *sender = job_index_process(index, message->peer_world);
    if (sender == NULL)
        return false;
    struct history history = find_history(sender, wanted, wanted->communicator, message);
    const struct rhythm rhythm = find_rhythm(&history);
    bool is_later;
    if (rhythm.wanted >= 2 && rhythm.before + rhythm.most_between > 0)
        is_later = rhythm.since + 1 > rhythm.most_between;
    else
        is_later = others_have_got_it(&history, wanted, message) ||
                   (rhythm.wanted == 1 && history.is_whole && rhythm.before == 0 && rhythm.received_since > 0);
    free(history.items);
    return is_later;
}

const struct operation *sent_before_find_later(const struct job_index *index, const struct wanted_message *wanted)
{
    enum { MOST_KINDS = 8 };
    const struct operations *unexpected = &wanted->communicator->unexpected;
    const struct operation *previous = NULL;
    for (size_t i = 0, kinds = 0; wanted->peer_world >= 0 && !wanted->tag_wild && i < unexpected->count; i++) {
        const struct operation *message = &unexpected->items[i];
        if (message->peer_world != wanted->peer_world || message->tag == wanted->tag || message->serial == 0 ||
            (previous != NULL && previous->tag == message->tag))
            continue;
        if (is_later(index, wanted, message))
            return message;
        if (++kinds == MOST_KINDS)
            break;
        previous = message;
    }
    return NULL;
}

/* The last message of the wanted kind that the process has sent, to the receiver or to any rank, and that the receive
 * has room for. */
static const struct operation *find_last(const struct process *sender, const struct wanted_message *wanted,
                                         bool to_receiver)
{
    const struct operation *last = NULL;
    struct history history = find_history(sender, wanted, NULL, NULL);
    for (size_t i = 0; i < history.count; i++)
        if ((history.items[i].to_receiver || !to_receiver) && message_fit(wanted, history.items[i].send) != FITS_NOT)
            last = history.items[i].send;
    free(history.items);
    return last;
}

/* As find_last, for any rank that has sent one to the receiver. */
static struct earlier_message find_received(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct operations *completed = &wanted->communicator->completed;
    for (size_t i = completed->count; i > 0; i--) {
        const struct operation *receive = &completed->items[i - 1];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) == 0 || receive->actual_world < 0 ||
            (!wanted->tag_wild && receive->actual_tag != wanted->tag))
            continue;
        const struct process *sender = job_index_process(index, receive->actual_world);
        const struct operation *send = sender != NULL ? find_last(sender, wanted, true) : NULL;
        return (struct earlier_message){send, send != NULL ? sender : NULL};
    }
    return (struct earlier_message){NULL, NULL};
}

struct earlier_message sent_before_find_like(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct process *source = job_index_process(index, wanted->peer_world);
    const struct operation *send = source != NULL ? find_last(source, wanted, true) : NULL;
    if (send == NULL && source != NULL)
        send = find_last(source, wanted, false);
    return send != NULL ? (struct earlier_message){send, source} : find_received(index, wanted);
}
