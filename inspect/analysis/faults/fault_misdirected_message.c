/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that fits what a receive waits for in every respect, but was sent to another rank.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>

/* Receives that one message is compared with. */
enum { MOST_COMPARED = 8 };

struct seeker {
    struct wanted_message wanted;
    uint32_t node;
};

struct seekers {
    struct seeker *items; /* by communicator, tag and source */
    size_t count;
};

struct misdirected {
    const struct process *holder; /* where it lies */
    const struct communicator *communicator;
    const struct operation *message;
};

static int compare_seekers(const void *left_seeker, const void *right_seeker)
{
    const struct wanted_message *left = &((const struct seeker *)left_seeker)->wanted;
    const struct wanted_message *right = &((const struct seeker *)right_seeker)->wanted;
    if (left->communicator->id != right->communicator->id)
        return left->communicator->id < right->communicator->id ? -1 : 1;
    if (left->tag != right->tag)
        return left->tag < right->tag ? -1 : 1;
    return (left->peer_world > right->peer_world) - (left->peer_world < right->peer_world);
}

/* Wanted messages with a named tag, and a named source or none: only these can be distinguished from all other
 * messages. */
static struct seekers find_seekers(const struct waits *waits, const struct cause *cause)
{
    struct seekers seekers = {0};
    struct seeker seeker;
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        seeker.node = nodes[i];
        if (!cause_find_wanted(waits, nodes[i], &seeker.wanted) || seeker.wanted.tag_wild || seeker.wanted.bytes < 0 ||
            seeker.wanted.communicator->intercommunicator ||
            (seeker.wanted.peer_local >= 0 && seeker.wanted.peer_world < 0))
            continue;
        seekers.items = array_append(seekers.items, &seekers.count, sizeof *seekers.items);
        seekers.items[seekers.count - 1] = seeker;
    }
    if (seekers.count > 1)
        qsort(seekers.items, seekers.count, sizeof *seekers.items, compare_seekers);
    return seekers;
}

/* The first that waits for this message; source -1: for one of any source. */
static size_t find_first(const struct seekers *seekers, const struct misdirected *found, int32_t source)
{
    const struct seeker sought = {
        .wanted = {.communicator = found->communicator, .tag = found->message->tag, .peer_world = source}};
    size_t low = 0, high = seekers->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (compare_seekers(&seekers->items[middle], &sought) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t number_of(const struct waits *waits, const struct process *process)
{
    return (uint32_t)(process - waits->job->processes);
}

/* Whether what this node of a process waits for is another process, by its name. */
static bool waits_for_process(const struct waits *waits, uint32_t node, uint32_t process, uint32_t other)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const struct wait_subject *subject = &waits->subjects[next];
        if (next == other)
            return true;
        if ((subject->kind == SUBJECT_THREAD || subject->kind == SUBJECT_POLL || subject->kind == SUBJECT_OPERATION) &&
            subject->process == process && waits_for_process(waits, next, process, other))
            return true;
    }
    return false;
}

/* Whether the sender waits for the one that has the message: then it was meant for that. */
static bool is_meant_so(const struct waits *waits, const struct misdirected *found)
{
    const struct process *sender = job_index_process(&waits->index, found->message->peer_world);
    const uint32_t number = number_of(waits, sender);
    return waits_for_process(waits, waits->process_nodes[number], number,
                             waits->process_nodes[number_of(waits, found->holder)]);
}

/* Whether the one that has the message has got such ones, or has several: they belong there. */
static bool is_usual_there(const struct misdirected *found)
{
    const struct operations *completed = &found->communicator->completed;
    const struct operations *unexpected = &found->communicator->unexpected;
    const struct operation *message = found->message;
    for (size_t i = 0; i < completed->count; i++)
        if ((completed->items[i].flags & MPILENS_OPERATION_RECEIVE) != 0 &&
            completed->items[i].actual_local == message->peer_local && completed->items[i].actual_tag == message->tag)
            return true;
    for (size_t i = 0; i < unexpected->count; i++)
        if (&unexpected->items[i] != message && unexpected->items[i].peer_local == message->peer_local &&
            unexpected->items[i].tag == message->tag)
            return true;
    return false;
}

/* Whether the receive was called where the process waits for the next one, in the program or in a library. */
static bool was_called_there(const struct communicator *communicator, const struct operation *receive)
{
    const struct operations *receives = &communicator->receives;
    for (size_t i = 0; i < receives->count; i++)
        if (receives->items[i].details->site_address != 0 &&
            receives->items[i].details->site_address == receive->details->site_address)
            return true;
    return false;
}

/* Whether the one that has the message receives from that sender where it or the other one waits, with one tag after
 * the other: then it will come to this one. */
static bool is_for_later(const struct wanted_message *wanted, const struct misdirected *found)
{
    const struct operations *completed = &found->communicator->completed;
    const struct operation *first = NULL;
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if ((receive->flags & MPILENS_OPERATION_RECEIVE) == 0 || receive->actual_local != found->message->peer_local)
            continue;
        const bool is_there = wanted->site != NULL && site_is_same(receive->details->site, wanted->site);
        if (!is_there && !was_called_there(found->communicator, receive))
            continue;
        if (first != NULL && receive->actual_tag != first->actual_tag)
            return true;
        first = receive;
    }
    return false;
}

/* Whether the sender has until now sent from that place to the one that waits, and never to the one that has it. */
static bool was_sent_here_before(const struct waits *waits, const struct wanted_message *wanted,
                                 const struct misdirected *found)
{
    const struct process *sender = job_index_process(&waits->index, found->message->peer_world);
    const struct communicator *theirs = find_communicator(sender, found->communicator->id);
    bool before = false;
    for (size_t i = 0; theirs != NULL && i < theirs->completed.count; i++) {
        const struct operation *send = &theirs->completed.items[i];
        if ((send->flags & MPILENS_OPERATION_SEND) == 0 || send->serial == found->message->serial ||
            !site_is_same(send->details->site, found->message->details->site))
            continue;
        if (send->peer_world == found->holder->rank)
            return false;
        before = before || send->peer_world == wanted->receiver->rank;
    }
    return before;
}

static bool will_not_receive(const struct waits *waits, const struct process *process)
{
    return process_is_gone(process) || waits->graph.nodes[waits->process_nodes[number_of(waits, process)]].dead;
}

static bool is_for(const struct waits *waits, const struct wanted_message *wanted, const struct misdirected *found)
{
    struct near_miss instead;
    if (wanted->receiver == found->holder || wanted->receiver->rank == found->message->peer_world ||
        message_fit(wanted, found->message) != FITS_WELL || process_has_lost_records(found->holder) ||
        !will_not_receive(waits, found->holder) || is_usual_there(found))
        return false;
    if (!process_is_gone(found->holder) && is_for_later(wanted, found))
        return false;
    if (process_is_gone(found->holder) || was_sent_here_before(waits, wanted, found))
        return true;
    return !is_meant_so(waits, found) && near_miss_find(&waits->index, wanted, true, &instead);
}

static const struct seeker *find_seeker(const struct waits *waits, const struct seekers *seekers,
                                        const struct misdirected *found)
{
    const int32_t sources[] = {found->message->peer_world, -1};
    if (found->message->details->bytes < 0 || job_index_process(&waits->index, sources[0]) == NULL)
        return NULL;
    for (size_t i = 0; i < 2; i++) {
        const size_t first = find_first(seekers, found, sources[i]);
        for (size_t j = first; j < seekers->count && j - first < MOST_COMPARED; j++) {
            const struct wanted_message *wanted = &seekers->items[j].wanted;
            if (wanted->communicator->id != found->communicator->id || wanted->tag != found->message->tag ||
                wanted->peer_world != sources[i])
                break;
            if (is_for(waits, wanted, found))
                return &seekers->items[j];
        }
    }
    return NULL;
}

static bool take(const struct waits *waits, const struct seeker *seeker, const struct misdirected *found,
                 struct cause *cause)
{
    cause->kind = FINDING_NO_MATCH;
    cause->has_wanted = true;
    cause->wanted = seeker->wanted;
    cause->wanting = seeker->node;
    cause->misdirected = (struct misdirected_message){found->message, found->holder->rank};
    if (!near_miss_find(&waits->index, &seeker->wanted, true, &cause->noted.near_miss))
        cause->noted.near_miss.message = NULL;
    ranks_add(&cause->ranks, seeker->wanted.receiver->rank);
    ranks_add(&cause->ranks, found->holder->rank);
    cause_add_culprit(cause, found->message->peer_world);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    struct seekers seekers = find_seekers(waits, cause);
    bool is_found = false;
    for (size_t i = 0; seekers.count > 0 && !is_found && i < waits->job->process_count; i++) {
        struct misdirected found = {.holder = &waits->job->processes[i]};
        for (size_t j = 0; !is_found && j < found.holder->communicator_count; j++) {
            found.communicator = &found.holder->communicators[j];
            for (size_t k = 0; !is_found && k < found.communicator->unexpected.count; k++) {
                found.message = &found.communicator->unexpected.items[k];
                const struct seeker *seeker = find_seeker(waits, &seekers, &found);
                is_found = seeker != NULL && take(waits, seeker, &found, cause);
            }
        }
    }
    free(seekers.items);
    return is_found;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->misdirected.message;
    const char *at = describe_at(message->details->site);
    cause_write_stuck(stream, text, cause);
    fprintf(stream, "; the message that fits lies at rank %d: rank %d sent it there%s%s%s", cause->misdirected.holder,
            message->peer_world, message->details->function[0] != '\0' ? " with " : "", message->details->function, at);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    return advise_on_destination(cause->misdirected.message, cause->wanted.receiver->rank, cause->misdirected.holder);
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const char *fate = arena_text(" to rank %d: nobody has received it", cause->misdirected.holder);
    cause_add_sent(text, cause->misdirected.message->peer_world, cause->misdirected.message, cause->wanted.communicator,
                   fate, finding);
    cause_add_noted(text, cause, finding);
}

const struct fault fault_misdirected_message = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
    .names_message = true,
};
