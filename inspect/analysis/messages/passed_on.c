/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds a message that its sender has passed on with another tag than it has received it with.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

/* A tag that never changes is not known to be kept. */
enum { LEAST_KEPT = 2 };

/* Through what the sender has done on the communicator, in order. */
struct walk {
    const struct message_history *history;
    const struct communicator *communicator;
    size_t next;
    const struct operation *last;     /* on any communicator */
    const struct operation *received; /* since the send before, and before the last one; NULL: nothing, or not known */
    bool is_used;
    bool is_cut; /* some receives since the send before are not known */
};

/* NULL: there are no more. */
static const struct operation *next_send(struct walk *walk)
{
    if (walk->is_used)
        walk->received = NULL; /* one message is passed on once */
    walk->is_cut = !walk->is_used;
    walk->is_used = true;
    while (walk->next < walk->history->count) {
        const struct message_end *end = &walk->history->items[walk->next++];
        if (walk->last != NULL && end->operation->serial != walk->last->serial + 1) {
            walk->received = NULL; /* an operation in between is forgotten */
            walk->is_cut = true;
        }
        walk->last = end->operation;
        if (end->communicator != walk->communicator)
            continue;
        if ((end->operation->flags & MPILENS_OPERATION_SEND) != 0)
            return end->operation;
        if (end->operation->status != mqs_st_complete)
            continue;
        walk->received = end->operation;
    }
    return NULL;
}

/* The only send of that message after the wanted tag was received, and how many others at its place have kept the tag:
 * all of them. */
static struct passed_on find_in(const struct message_history *history, const struct communicator *communicator,
                                const struct wanted_message *wanted, const struct operation *message)
{
    const struct passed_on none = {.send = NULL};
    const struct walk start = {.history = history, .communicator = communicator};
    struct passed_on found = none;
    struct walk walk = start;
    const struct operation *kept = NULL;
    bool differ = false; /* the tags that were kept */
    for (const struct operation *send = next_send(&walk); send != NULL; send = next_send(&walk)) {
        if (walk.received == NULL || walk.received->actual_tag != wanted->tag || send->tag != message->tag ||
            send->peer_world != wanted->receiver->rank)
            continue;
        if (found.send != NULL)
            return none;
        found.send = send;
    }
    /* Many lines of the program may send there. */
    found.originates = found.send != NULL && site_is_of_library(found.send->details->site);
    walk = start;
    for (const struct operation *send = next_send(&walk); send != NULL && found.send != NULL; send = next_send(&walk)) {
        if (send == found.send || !site_is_same(send->details->site, found.send->details->site))
            continue;
        if (walk.received == NULL) {
            found.originates = found.originates || !walk.is_cut;
            continue;
        }
        if (send->tag != walk.received->actual_tag)
            return none;
        differ = differ || (kept != NULL && kept->tag != send->tag);
        kept = send;
        found.kept++;
    }
    return found.kept >= LEAST_KEPT && differ ? found : none;
}

struct passed_on passed_on_find(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct operations *unexpected = &wanted->communicator->unexpected;
    struct passed_on found = {.send = NULL};
    for (size_t i = 0; i < unexpected->count && !wanted->tag_wild && found.send == NULL; i++) {
        const struct operation *message = &unexpected->items[i];
        const struct process *sender = job_index_process(index, message->peer_world);
        const struct communicator *theirs = sender != NULL ? find_communicator(sender, wanted->communicator->id) : NULL;
        if (message->tag == wanted->tag || theirs == NULL || process_has_lost_records(sender) ||
            (wanted->peer_local >= 0 && wanted->peer_world != message->peer_world) ||
            message_fit(wanted, message) == FITS_NOT)
            continue;
        const struct arena_mark mark = arena_mark();
        const struct message_history history = message_history_of(sender);
        found = find_in(&history, theirs, wanted, message);
        arena_release(mark);
        found.message = message;
    }
    return found;
}
