/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds a message after which its receiver has sent none, as it and others at its place have always done.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

/* Messages that show a habit; ranks that share it, and those that are looked at. */
enum { LEAST_ANSWERED = 3, LEAST_OTHERS = 2, MOST_COMPARED = 64 };

/* Messages that a process has received at one place, as far as it is known what it did next. */
struct habit {
    size_t answered; /* by a send */
    size_t kept;
    const struct operation *last_kept;   /* NULL: none */
    const struct operation *then_waited; /* receive that came next */
    const struct message_end *sent;      /* the last send after one like the last kept one; NULL: none */
    size_t known, elsewhere;             /* messages of the same source: all, and at other places */
    bool rise;                           /* the tags of those that were answered, and of the kept one after them */
    bool is_open;                        /* nothing has come after the last one yet */
};

static bool is_received(const struct message_end *end, const struct wanted_message *wanted)
{
    return (end->operation->flags & MPILENS_OPERATION_RECEIVE) != 0 && end->operation->status == mqs_st_complete &&
           end->communicator->id == wanted->communicator->id;
}

static bool is_at(const struct message_end *end, const struct wanted_message *wanted)
{
    return is_received(end, wanted) && site_is_same(end->operation->details->site, wanted->site);
}

/* The operation after the message, if that came at the place; NULL: it did not, or some are forgotten. */
static const struct message_end *find_next(const struct message_history *history, size_t number,
                                           const struct wanted_message *wanted)
{
    const struct message_end *end = &history->items[number], *next = end + 1;
    return number + 1 < history->count && is_at(end, wanted) && next->operation->serial == end->operation->serial + 1
               ? next
               : NULL;
}

static bool is_send(const struct message_end *end)
{
    return (end->operation->flags & MPILENS_OPERATION_SEND) != 0;
}

/* Tags that rise count the messages; others may tell which ones ask for an answer. */
static bool is_like(const struct operation *one, const struct operation *other, bool rise)
{
    return one->actual_world >= 0 && one->actual_world == other->actual_world && one->details->actual_bytes >= 0 &&
           one->details->actual_bytes == other->details->actual_bytes && (rise || one->actual_tag == other->actual_tag);
}

static void compare_with_kept(const struct message_history *history, const struct wanted_message *wanted,
                              struct habit *habit)
{
    for (size_t i = 0; i < history->count; i++) {
        const struct message_end *end = &history->items[i], *next = find_next(history, i, wanted);
        if (next != NULL && is_send(next) && is_like(end->operation, habit->last_kept, habit->rise))
            habit->sent = next;
        if (!is_received(end, wanted) || end->operation->actual_world != habit->last_kept->actual_world)
            continue;
        habit->known++;
        habit->elsewhere += !is_at(end, wanted);
    }
}

static struct habit find_habit(const struct message_history *history, const struct wanted_message *wanted)
{
    struct habit habit = {.rise = true};
    const struct operation *before = NULL;
    for (size_t i = 0; i < history->count; i++) {
        const struct message_end *next = find_next(history, i, wanted);
        if (next == NULL)
            continue;
        const struct operation *receive = history->items[i].operation;
        habit.rise = habit.rise && (before == NULL || before->actual_tag < receive->actual_tag);
        before = receive;
        if (is_send(next)) {
            habit.answered++;
        } else {
            habit.kept++;
            habit.last_kept = receive;
            habit.then_waited = next->operation;
        }
    }
    habit.is_open = history->count > 0 && is_at(&history->items[history->count - 1], wanted);
    if (habit.last_kept != NULL)
        compare_with_kept(history, wanted, &habit);
    return habit;
}

/* Whether it sends messages such as the kept one from a place of its own, as a rank does that starts each round. After
 * one that came at the wanted place, it may only pass it on. */
static bool starts_rounds(const struct message_history *history, const struct wanted_message *wanted,
                          const struct habit *habit)
{
    const struct operation *kept = habit->last_kept;
    const struct site *relay = habit->sent->operation->details->site;
    size_t started = 0;
    for (size_t i = 1; i < history->count; i++) {
        const struct message_end *before = &history->items[i - 1], *end = &history->items[i];
        const struct operation_details *details = end->operation->details;
        started += is_send(end) && !is_send(before) && !is_at(before, wanted) &&
                   end->operation->serial == before->operation->serial + 1 &&
                   end->communicator->id == habit->sent->communicator->id && details->site != NULL &&
                   !site_is_same(details->site, relay) && details->bytes == kept->details->actual_bytes &&
                   (habit->rise || end->operation->tag == kept->actual_tag);
    }
    return started >= LEAST_ANSWERED;
}

static bool others_start_rounds(const struct job_index *index, const struct wanted_message *wanted,
                                const struct habit *habit)
{
    const struct job_members members = job_index_members(index, wanted->communicator->id);
    bool found = false;
    for (size_t i = 0; !found && i < members.count && i < MOST_COMPARED; i++) {
        const struct process *process = members.items[i].process;
        const struct arena_mark mark = arena_mark();
        const struct message_history history = message_history_of(process);
        found = process != wanted->receiver && starts_rounds(&history, wanted, habit);
        arena_release(mark);
    }
    return found;
}

/* Whether more have come there from the source of the kept one than were sent on. Where the rank has started a ring, as
 * many have come: it may keep the last one. Some of those that are forgotten may have come elsewhere: then others must
 * be seen to start. */
static bool has_left_out(const struct job_index *index, const struct wanted_message *wanted, const struct habit *habit)
{
    const struct channel *from = message_channel_find(wanted->communicator, habit->last_kept->actual_world);
    const struct channel *to = message_channel_find(habit->sent->communicator, habit->sent->operation->peer_world);
    return from != NULL && to != NULL && from->received > to->sent + habit->elsewhere &&
           (from->received <= habit->known || others_start_rounds(index, wanted, habit));
}

static uint64_t count_messages(const struct communicator *communicator, bool sent)
{
    uint64_t count = 0;
    for (size_t i = 0; i < communicator->channel_count; i++)
        count += sent ? communicator->channels[i].sent : communicator->channels[i].received;
    return count;
}

/* How many more messages it has received than sent. */
static int64_t find_surplus(const struct communicator *communicator)
{
    return (int64_t)(count_messages(communicator, false) - count_messages(communicator, true));
}

/* Whether other ranks that are as far have the habit, none has broken it, and none has received as many messages more
 * than it has sent, as all have that get input besides. */
static bool have_others(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct job_members members = job_index_members(index, wanted->communicator->id);
    const uint64_t received = count_messages(wanted->communicator, false);
    const int64_t surplus = find_surplus(wanted->communicator);
    size_t others = 0;
    for (size_t i = 0; i < members.count && i < MOST_COMPARED; i++) {
        const struct job_member *member = &members.items[i];
        if (member->process == wanted->receiver)
            continue;
        const struct arena_mark mark = arena_mark();
        const struct message_history history = message_history_of(member->process);
        const struct habit habit = find_habit(&history, wanted);
        arena_release(mark);
        if (habit.kept > 0)
            return false;
        if (habit.answered < LEAST_ANSWERED || process_has_lost_records(member->process) ||
            count_messages(member->communicator, false) + 1 < received)
            continue;
        if (find_surplus(member->communicator) - habit.is_open >= surplus)
            return false;
        others++;
    }
    return others >= LEAST_OTHERS;
}

/* Whether such messages have come there before. Another one may be what it needs to send on, and any may be such a one:
 * one line of the program may receive all. */
static bool waits_for_usual(const struct wanted_message *wanted)
{
    const struct operations *completed = &wanted->communicator->completed;
    for (size_t i = 0; !wanted->tag_wild && i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->actual_tag == wanted->tag &&
            site_is_same(receive->details->site, wanted->site) && receive->details->bytes == wanted->bytes)
            return true;
    }
    return !wanted->tag_wild && tag_gap_is_next(wanted->communicator, wanted->tag);
}

/* Whether the last message on the communicator came where the next one is awaited. */
static bool may_have_kept(const struct wanted_message *wanted)
{
    const struct operations *completed = &wanted->communicator->completed;
    const struct operation *last = completed->count > 0 ? &completed->items[completed->count - 1] : NULL;
    return last != NULL && (last->flags & MPILENS_OPERATION_RECEIVE) != 0 && wanted->site != NULL &&
           site_is_same(last->details->site, wanted->site) && !site_is_of_library(wanted->site) &&
           waits_for_usual(wanted) && !process_has_lost_records(wanted->receiver);
}

struct kept_message kept_message_find(const struct job_index *index, const struct wanted_message *wanted)
{
    struct kept_message found = {.receive = NULL};
    if (!may_have_kept(wanted))
        return found;
    const struct arena_mark mark = arena_mark();
    const struct message_history history = message_history_of(wanted->receiver);
    const struct habit habit = find_habit(&history, wanted);
    if (habit.kept == 1 && habit.then_waited->serial == wanted->serial && habit.answered >= LEAST_ANSWERED &&
        habit.sent != NULL && has_left_out(index, wanted, &habit) && have_others(index, wanted))
        found = (struct kept_message){habit.last_kept, habit.answered, *habit.sent, habit.rise};
    arena_release(mark);
    return found;
}
