/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds out whether a sender has left out a message once that comes right before each one of a place, such as its
 * length.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

enum { LEAST_ANNOUNCED = 3 };

static bool is_on_channel(const struct message_end *end, const struct communicator *communicator, int32_t receiver)
{
    return (end->operation->flags & MPILENS_OPERATION_SEND) != 0 && end->communicator == communicator &&
           end->operation->peer_world == receiver;
}

static bool is_of_place(const struct operation *operation, const struct operation *other)
{
    return operation->details->site != NULL && other->details->site != NULL &&
           site_is_same(operation->details->site, other->details->site);
}

/* Whether each message of the place has a higher tag than the one before: programs number messages of one kind. */
static bool tags_rise(const struct message_history *history, const struct communicator *communicator,
                      const struct operation *send)
{
    const struct operation *last = NULL;
    for (size_t i = 0; i < history->count; i++) {
        const struct message_end *end = &history->items[i];
        if (!is_on_channel(end, communicator, send->peer_world) || !is_of_place(end->operation, send))
            continue;
        if (last != NULL && end->operation->tag <= last->tag)
            return false;
        last = end->operation;
    }
    return true;
}

static struct unannounced find_in(const struct message_history *history, const struct communicator *communicator,
                                  const struct operation *send)
{
    struct unannounced found = {.count = 0};
    const struct message_end *before = NULL;
    size_t missing = 0;
    bool is_past = false; /* the receiver has got a later message */
    const bool rises = tags_rise(history, communicator, send);
    for (size_t i = 0; i < history->count; i++) {
        const struct message_end *end = &history->items[i];
        if (!is_on_channel(end, communicator, send->peer_world))
            continue;
        is_past = is_past || (missing > 0 && end->operation->received);
        /* One with another tag may be of another kind, for a receive that was left out. */
        if (before != NULL && is_of_place(end->operation, send) && (rises || end->operation->tag == send->tag)) {
            const bool is_first = found.count == 0 && !is_of_place(before->operation, send);
            if (is_first || (found.count > 0 && is_of_place(before->operation, found.usual.operation))) {
                found.usual = *before;
                found.count++;
            } else {
                missing++;
            }
        }
        before = end;
    }
    return missing == 1 && !is_past && found.count >= LEAST_ANNOUNCED ? found : (struct unannounced){.count = 0};
}

struct unannounced unannounced_find(const struct process *sender, const struct communicator *communicator,
                                    const struct operation *send)
{
    if (process_has_lost_records(sender))
        return (struct unannounced){.count = 0};
    const struct arena_mark mark = arena_mark();
    const struct message_history history = message_history_of(sender);
    const struct unannounced found = find_in(&history, communicator, send);
    arena_release(mark);
    return found;
}
