/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the message that is missing where tags run on.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

enum { LEAST_RECEIVED = 5 };

/* The messages that the receiver has got on the communicator, at any places. */
struct run {
    const struct operation *first, *last; /* receives */
    size_t count;
    int32_t least_step, most_step; /* between the tags of two */
    int32_t unit;                  /* the greatest common divisor of the steps */
};

static int32_t common_divisor(int32_t one, int32_t other)
{
    while (other != 0) {
        const int32_t rest = one % other;
        one = other;
        other = rest;
    }
    return one;
}

static void add_step(struct run *run, int32_t step)
{
    if (run->unit == 0 || step < run->least_step)
        run->least_step = step;
    if (step > run->most_step)
        run->most_step = step;
    run->unit = common_divisor(run->unit, step);
}

/* False: not all came from one rank, each with a higher tag than the one before; or, from anybody, one had a lower one.
 */
static bool find_run(const struct communicator *communicator, bool from_anybody, struct run *ret_run)
{
    const struct operations *completed = &communicator->completed;
    struct run run = {.count = 0};
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) == 0)
            continue;
        const int32_t step = run.last != NULL ? receive->actual_tag - run.last->actual_tag : 1;
        if (step < 0 ||
            (!from_anybody && (step == 0 || (run.last != NULL && receive->actual_world != run.last->actual_world))))
            return false;
        if (run.last != NULL && step > 0)
            add_step(&run, step);
        if (run.first == NULL)
            run.first = receive;
        run.last = receive;
        run.count++;
    }
    *ret_run = run;
    return run.count >= LEAST_RECEIVED && run.last->actual_world >= 0;
}

static bool is_next_tag(const struct run *run, int32_t tag)
{
    const int32_t step = tag - run->last->actual_tag;
    return run->unit > 0 && step >= run->least_step && step <= run->most_step && step % run->unit == 0;
}

static bool is_next(const struct wanted_message *wanted, const struct run *run)
{
    return !wanted->tag_wild && is_next_tag(run, wanted->tag) &&
           (wanted->peer_local < 0 || wanted->peer_local == run->last->actual_local);
}

bool tag_gap_is_next(const struct communicator *communicator, int32_t tag)
{
    struct run run;
    return find_run(communicator, true, &run) && is_next_tag(&run, tag);
}

/* Whether the operation, which a thread waits for, is such a send or receive. */
static bool is_of_next(const struct process *process, uint64_t serial, const struct communicator *communicator,
                       int32_t receiver)
{
    const struct communicator *theirs;
    const struct operation *operation = find_operation(process, serial, &theirs);
    if (operation == NULL || theirs != communicator)
        return false;
    return (operation->flags & MPILENS_OPERATION_SEND) != 0
               ? operation->peer_world == receiver
               : !operation->tag_wild && tag_gap_is_next(communicator, operation->tag);
}

static bool call_waits_for_next(const struct process *process, const struct thread *call,
                                const struct communicator *communicator, int32_t receiver)
{
    switch (call->call_class) {
    case MPILENS_CALL_POINT_TO_POINT:
    case MPILENS_CALL_WAIT:
    case MPILENS_CALL_TEST:
        for (size_t i = 0; i < call->waiting_known; i++)
            if (!is_of_next(process, call->waiting[i], communicator, receiver))
                return false;
        return call->waiting_known >= call->waiting_count;
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
        return call->communicator_id == communicator->id && !call->tag_wild && tag_gap_is_next(communicator, call->tag);
    default:
        return false;
    }
}

bool tag_gap_waits_for_next(const struct process *process, const struct communicator *communicator, int32_t receiver)
{
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        if (thread_polls_in_turn(thread) || !call_waits_for_next(process, thread, communicator, receiver))
            return false;
    }
    return true;
}

bool tag_gap_has_row_of_others(const struct wanted_message *wanted, const struct operation *message)
{
    struct run run;
    if (wanted->peer_local >= 0 || wanted->tag_wild || !find_run(wanted->communicator, true, &run) ||
        !is_next_tag(&run, message->tag))
        return false;
    const bool is_before_all = wanted->tag < run.first->actual_tag && count_received(wanted->communicator) <= run.count;
    return is_before_all || wanted->tag - message->tag > run.most_step;
}

/* Whether one of those that lie there has no higher tag than the wanted one. */
static bool has_other_before(const struct wanted_message *wanted, int32_t source)
{
    const struct operations *unexpected = &wanted->communicator->unexpected;
    for (size_t i = 0; i < unexpected->count; i++)
        if (unexpected->items[i].peer_world == source && unexpected->items[i].tag <= wanted->tag)
            return true;
    return false;
}

/* Whether a message with that tag comes soon after the wanted one. */
static bool is_later_tag(const struct wanted_message *wanted, const struct run *run, int32_t tag)
{
    const int32_t step = tag - wanted->tag;
    return step > 0 && step <= run->most_step && step % run->unit == 0;
}

/* Whether one of those that lie there does: others may be of another kind, after which the wanted one comes. */
static bool has_later(const struct wanted_message *wanted, const struct run *run)
{
    const struct operations *unexpected = &wanted->communicator->unexpected;
    for (size_t i = 0; i < unexpected->count; i++)
        if (unexpected->items[i].peer_world == run->last->actual_world &&
            is_later_tag(wanted, run, unexpected->items[i].tag))
            return true;
    return false;
}

struct tag_gap tag_gap_find(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct tag_gap none = {.source = NULL};
    struct run run;
    if (process_has_lost_records(wanted->receiver) || !find_run(wanted->communicator, false, &run) ||
        !is_next(wanted, &run) || has_other_before(wanted, run.last->actual_world) || !has_later(wanted, &run))
        return none;
    const struct process *source = job_index_process(index, run.last->actual_world);
    const struct communicator *theirs = source != NULL && !process_has_lost_records(source)
                                            ? find_communicator(source, wanted->communicator->id)
                                            : NULL;
    const struct channel *sent = message_channel_find(theirs, wanted->receiver->rank);
    const struct channel *received = message_channel_find(wanted->communicator, run.last->actual_world);
    if (sent == NULL || received == NULL || sent->sent <= received->received)
        return none;
    return (struct tag_gap){.source = source,
                            .received = run.count,
                            .are_all = count_received(wanted->communicator) <= run.count,
                            .is_regular = run.least_step == run.most_step,
                            .later = sent->sent - received->received};
}

static bool has_received_from(const struct communicator *communicator, int32_t peer)
{
    for (size_t i = 0; i < communicator->completed.count; i++)
        if ((communicator->completed.items[i].flags & MPILENS_OPERATION_RECEIVE) != 0 &&
            communicator->completed.items[i].actual_local == peer)
            return true;
    return false;
}

bool tag_gap_is_before(const struct wanted_message *wanted, const struct operation *message)
{
    struct run run;
    return wanted->peer_local < 0 && has_received_from(wanted->communicator, message->peer_local) &&
           find_run(wanted->communicator, true, &run) && is_next(wanted, &run) && message->tag > wanted->tag &&
           (message->tag - wanted->tag) % run.unit == 0;
}

/* The last send with that tag; NULL: there is none. */
static const struct operation *find_last_send(const struct operations *operations, int32_t tag)
{
    const struct operation *last = NULL;
    for (size_t i = 0; i < operations->count; i++)
        if ((operations->items[i].flags & MPILENS_OPERATION_SEND) != 0 && operations->items[i].tag == tag &&
            (last == NULL || operations->items[i].serial > last->serial))
            last = &operations->items[i];
    return last;
}

static const struct operation *find_last_sent(const struct communicator *communicator, int32_t tag)
{
    const struct operation *over = find_last_send(&communicator->completed, tag);
    const struct operation *queued = find_last_send(&communicator->sends, tag);
    return over == NULL || (queued != NULL && queued->serial > over->serial) ? queued : over;
}

static bool has_sent_tag(const struct communicator *communicator, int32_t tag)
{
    return find_last_sent(communicator, tag) != NULL;
}

/* A nonblocking receive may get its message at any time. */
static bool is_of_later_step(const struct wanted_message *wanted, const struct run *run,
                             const struct operation *operation)
{
    if ((operation->flags & MPILENS_OPERATION_SEND) != 0)
        return is_later_tag(wanted, run, operation->tag);
    return (operation->flags & MPILENS_OPERATION_BLOCKING) != 0 && operation->status == mqs_st_complete &&
           is_later_tag(wanted, run, operation->actual_tag);
}

static bool has_later_step(const struct wanted_message *wanted, const struct run *run,
                           const struct operations *operations, uint64_t since)
{
    for (size_t i = 0; i < operations->count; i++)
        if (operations->items[i].serial > since && is_of_later_step(wanted, run, &operations->items[i]))
            return true;
    return false;
}

/* Whether it has sent or received messages of a later step since it sent its last one with the wanted tag, and waits
 * for no other kind of message, which it may need for the next one with that tag. */
static bool has_gone_on(const struct job_member *source, const struct wanted_message *wanted, const struct run *run)
{
    const struct communicator *communicator = source->communicator;
    const struct operation *last = find_last_sent(communicator, wanted->tag);
    return (has_later_step(wanted, run, &communicator->completed, last->serial) ||
            has_later_step(wanted, run, &communicator->sends, last->serial)) &&
           tag_gap_waits_for_next(source->process, communicator, wanted->receiver->rank);
}

/* Whether the rank also sends what it has received: then a message may have been left out by one of several. */
static bool passes_on(const struct communicator *communicator)
{
    const struct operations *completed = &communicator->completed;
    for (size_t i = 0; i < completed->count; i++)
        if ((completed->items[i].flags & MPILENS_OPERATION_RECEIVE) != 0 &&
            has_sent_tag(communicator, completed->items[i].actual_tag))
            return true;
    return false;
}

static void add_receivers(const struct operations *operations, int32_t tag, struct ranks *ranks)
{
    for (size_t i = 0; i < operations->count; i++)
        if ((operations->items[i].flags & MPILENS_OPERATION_SEND) != 0 && operations->items[i].tag == tag)
            ranks_add(ranks, operations->items[i].peer_world);
}

struct ranks tag_gap_served(const struct process *source, const struct wanted_message *wanted)
{
    const struct communicator *communicator = find_communicator(source, wanted->communicator->id);
    struct ranks served = {0};
    add_receivers(&communicator->completed, wanted->tag, &served);
    add_receivers(&communicator->sends, wanted->tag, &served);
    ranks_finish(&served);
    return served;
}

static bool has_served_receiver(const struct process *source, const struct wanted_message *wanted)
{
    struct ranks served = tag_gap_served(source, wanted);
    const bool has = ranks_has(&served, wanted->receiver->rank);
    return has;
}

const struct process *tag_gap_find_step(const struct job_index *index, const struct wanted_message *wanted)
{
    enum { MOST_MEMBERS = 256 };
    const struct job_members members = job_index_members(index, wanted->communicator->id);
    const struct job_member *source = NULL;
    struct run run;
    if (wanted->peer_local >= 0 || members.count > MOST_MEMBERS ||
        members.count != (size_t)wanted->communicator->size || process_has_lost_records(wanted->receiver) ||
        !find_run(wanted->communicator, true, &run) || !is_next(wanted, &run))
        return NULL;
    for (size_t i = 0; i < members.count; i++) {
        const struct job_member *member = &members.items[i];
        const bool has_sent = has_sent_tag(member->communicator, wanted->tag);
        if (process_has_lost_records(member->process) || passes_on(member->communicator) ||
            (has_sent && source != NULL))
            return NULL;
        source = has_sent ? member : source;
    }
    if (source == NULL || !has_gone_on(source, wanted, &run) || has_served_receiver(source->process, wanted))
        return NULL;
    return source->process;
}
