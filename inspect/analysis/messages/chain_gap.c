/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the rank that has not passed a message on, where each goes from rank to rank under a tag of its own.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

enum { LEAST_CHAINS = 4, LEAST_MEMBERS = 3, MOST_MEMBERS = 64 };

static bool is_receive(const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_RECEIVE) != 0;
}

/* Whether one message has gone along all members with that tag, but for `missing` of them that have not had it. */
static bool find_chain(const struct job_members *members, int32_t tag, size_t missing,
                       const struct job_member **ret_end)
{
    size_t origins = 0, ends = 0, without = 0;
    for (size_t i = 0; i < members->count; i++) {
        const struct message_tally tally = message_tally_of(members->items[i].communicator, tag);
        origins += tally.sent == 1 && tally.received == 0;
        without += tally.sent == 0 && tally.received == 0;
        if (tally.sent == 0 && tally.received == 1) {
            ends++;
            *ret_end = &members->items[i];
        }
        if (tally.sent > 1 || tally.received > 1 || origins > 1 || ends > 1 || without > missing)
            return false;
    }
    return origins == 1 && ends == 1 && without == missing;
}

/* The tags of the last messages that the receiver has got there. False: they are fewer, or do not tell one message from
 * the next and from the wanted one. */
static bool find_last_tags(const struct wanted_message *wanted, int32_t ret_tags[LEAST_CHAINS])
{
    const struct operations *completed = &wanted->communicator->completed;
    size_t found = 0;
    for (size_t i = completed->count; i > 0 && found < LEAST_CHAINS; i--) {
        const struct operation *receive = &completed->items[i - 1];
        if (!is_receive(receive))
            continue;
        if (receive->actual_tag == wanted->tag || (found > 0 && receive->actual_tag == ret_tags[found - 1]))
            return false;
        ret_tags[found++] = receive->actual_tag;
    }
    return found == LEAST_CHAINS;
}

static bool are_chains(const struct job_members *members, const int32_t tags[LEAST_CHAINS])
{
    const struct job_member *end;
    for (size_t i = 0; i < LEAST_CHAINS; i++)
        if (!find_chain(members, tags[i], 0, &end))
            return false;
    return true;
}

/* The end of a chain that has not reached the receiver. */
struct broken_end {
    const struct communicator *communicator;
    const struct operation *taken; /* the message */
    const struct wanted_message *wanted;
};

/* Whether messages with that tag may go along a chain that comes after the broken one. */
static bool may_be_later(const struct broken_end *end, int32_t tag)
{
    const struct message_tally own = message_tally_of(end->communicator, tag);
    return tag != end->wanted->tag && own.sent <= 1 && own.received <= 1 &&
           message_tally_of(end->wanted->communicator, tag).received == 0;
}

static bool is_where_taken(const struct broken_end *end, const struct operation *receive)
{
    return (receive->flags & MPILENS_OPERATION_BLOCKING) != 0 && receive->peer_local == end->taken->peer_local &&
           receive->details->site_address == end->taken->details->site_address;
}

/* Whether it has got a later message with that tag, which it may have passed on by the operation of that serial. */
static bool has_taken(const struct broken_end *end, int32_t tag, uint64_t before)
{
    const struct operations *completed = &end->communicator->completed;
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if (is_receive(receive) && receive->serial > end->taken->serial && receive->serial < before &&
            receive->actual_tag == tag && is_where_taken(end, receive))
            return true;
    }
    return false;
}

static bool has_sent_receiver_from(const struct broken_end *end, uint64_t site_address)
{
    const struct operations *completed = &end->communicator->completed;
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *send = &completed->items[i];
        if ((send->flags & MPILENS_OPERATION_SEND) != 0 && send->serial < end->taken->serial &&
            send->peer_world == end->wanted->receiver->rank && send->details->site_address == site_address)
            return true;
    }
    return false;
}

/* Whether the receiver has been sent a message of a later chain, passed on or begun. */
static bool is_later_send(const struct broken_end *end, const struct operation *send)
{
    return (send->flags & MPILENS_OPERATION_SEND) != 0 && send->serial > end->taken->serial &&
           send->peer_world == end->wanted->receiver->rank && send->details->site_address != 0 &&
           has_sent_receiver_from(end, send->details->site_address) && may_be_later(end, send->tag) &&
           (has_taken(end, send->tag, send->serial) || tag_gap_is_next(end->communicator, send->tag));
}

static bool has_later_send(const struct broken_end *end, const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        if (is_later_send(end, &operations->items[i]))
            return true;
    return false;
}

/* Whether it may wait for a message that is none of a later chain, and that it needs to pass the broken one on. One
 * line of the program may receive all: a tag that was never seen there is of such a message. */
static bool is_held_up(const struct broken_end *end, const struct process *process)
{
    const struct operations *receives = &end->communicator->receives;
    for (size_t i = 0; i < receives->count; i++) {
        const struct operation *receive = &receives->items[i];
        if (receive->serial > end->taken->serial &&
            (receive->tag_wild || !is_where_taken(end, receive) || !may_be_later(end, receive->tag) ||
             !tag_gap_is_next(end->communicator, receive->tag)))
            return true;
    }
    return !tag_gap_waits_for_next(process, end->communicator, end->wanted->receiver->rank);
}

static const struct operation *find_taken(const struct communicator *communicator, int32_t tag)
{
    for (size_t i = communicator->completed.count; i > 0; i--) {
        const struct operation *receive = &communicator->completed.items[i - 1];
        if (is_receive(receive) && receive->status == mqs_st_complete && receive->actual_tag == tag)
            return receive;
    }
    return NULL;
}

/* Whether it has sent the receiver later messages since it received this one. A nonblocking receive may get its message
 * at any time. */
static bool has_gone_on(const struct job_member *member, const struct wanted_message *wanted)
{
    const struct communicator *communicator = member->communicator;
    const struct broken_end end = {communicator, find_taken(communicator, wanted->tag), wanted};
    return end.taken != NULL && (end.taken->flags & MPILENS_OPERATION_BLOCKING) != 0 &&
           end.taken->details->site_address != 0 && !is_held_up(&end, member->process) &&
           (has_later_send(&end, &communicator->completed) || has_later_send(&end, &communicator->sends));
}

const struct process *chain_gap_find(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct job_members members = job_index_members(index, wanted->communicator->id);
    int32_t tags[LEAST_CHAINS];
    if (wanted->tag_wild || members.count < LEAST_MEMBERS || members.count > MOST_MEMBERS ||
        members.count != (size_t)wanted->communicator->size || !find_last_tags(wanted, tags))
        return NULL;
    for (size_t i = 0; i < members.count; i++)
        if (process_has_lost_records(members.items[i].process))
            return NULL;
    const struct message_tally own = message_tally_of(wanted->communicator, wanted->tag);
    const struct job_member *end;
    if (own.sent > 0 || own.received > 0 || !find_chain(&members, wanted->tag, 1, &end) ||
        (wanted->peer_world >= 0 && wanted->peer_world != end->process->rank) || !has_gone_on(end, wanted) ||
        !are_chains(&members, tags))
        return NULL;
    return end->process;
}
