/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds messages that were lost because the receive was too short.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

static bool is_received(const struct operation *operation)
{
    return (operation->flags & MPILENS_OPERATION_RECEIVE) != 0 &&
           (operation->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0;
}

static bool is_truncated(const struct operation *operation)
{
    return is_received(operation) && (operation->flags & MPILENS_OPERATION_TRUNCATED) != 0;
}

static bool is_alike(const struct operation *receive, const struct operation *other)
{
    return is_received(other) && other->actual_local == receive->actual_local &&
           other->actual_tag == receive->actual_tag;
}

/* The number of messages with its source and tag that the receiver got after the message of the `place`-th completed
 * operation. */
static size_t count_later(const struct communicator *communicator, size_t place, bool whole)
{
    const struct operation *receive = &communicator->completed.items[place];
    size_t count = 0;
    for (size_t i = place + 1; i < communicator->completed.count; i++) {
        const struct operation *later = &communicator->completed.items[i];
        count += is_alike(receive, later) && !(whole && is_truncated(later));
    }
    return count;
}

static bool may_be_its_send(const struct operation *send, const struct communicator *communicator,
                            const struct operation *receive)
{
    return (send->flags & MPILENS_OPERATION_SEND) != 0 && (send->flags & MPILENS_OPERATION_PARTITIONED) == 0 &&
           send->received && send->peer_local == communicator->rank && send->tag == receive->actual_tag;
}

/* The last of those that may be it and were posted before `next`; NULL `next`: of all. */
static const struct operation *find_previous_send(const struct operations *operations,
                                                  const struct communicator *communicator,
                                                  const struct operation *receive, const struct operation *next)
{
    const struct operation *last = NULL;
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *send = &operations->items[i];
        if (may_be_its_send(send, communicator, receive) && (next == NULL || send->posted < next->posted) &&
            (last == NULL || send->posted > last->posted))
            last = send;
    }
    return last;
}

/* Messages of one source with one tag are received in the order in which they were sent. `later`: how many were
 * received after this one. */
static const struct operation *find_send(const struct job_index *index, const struct communicator *communicator,
                                         const struct operation *receive, size_t later)
{
    const struct process *source = job_index_process(index, receive->actual_world);
    const struct communicator *theirs = source != NULL ? find_communicator(source, communicator->id) : NULL;
    const struct operation *send = NULL;
    for (size_t i = 0; theirs != NULL && i <= later; i++) {
        const struct operation *over = find_previous_send(&theirs->completed, communicator, receive, send);
        const struct operation *queued = find_previous_send(&theirs->sends, communicator, receive, send);
        send = over == NULL || (queued != NULL && queued->posted > over->posted) ? queued : over;
        if (send == NULL)
            return NULL;
    }
    if (send == NULL || send->details->bytes <= receive->details->bytes ||
        (receive->details->actual_bytes >= 0 && receive->details->actual_bytes != send->details->bytes))
        return NULL;
    return send;
}

static struct lost_message describe(const struct job_index *index, const struct communicator *communicator,
                                    size_t place)
{
    const struct operation *receive = &communicator->completed.items[place];
    const struct operation *send = find_send(index, communicator, receive, count_later(communicator, place, false));
    return (struct lost_message){
        .receive = receive,
        .send = send,
        .bytes =
            receive->details->actual_bytes >= 0 || send == NULL ? receive->details->actual_bytes : send->details->bytes,
    };
}

struct lost_message lost_message_find(const struct job_index *index, const struct wanted_message *wanted)
{
    const struct communicator *communicator = wanted->communicator;
    const size_t remembered = process_has_lost_records(wanted->receiver) ? 0 : communicator->completed.count;
    for (size_t i = remembered; i > 0; i--) {
        const struct operation *receive = &communicator->completed.items[i - 1];
        if (is_truncated(receive) && (wanted->peer_local < 0 || wanted->peer_local == receive->actual_local) &&
            (wanted->tag_wild || wanted->tag == receive->actual_tag) && count_later(communicator, i - 1, true) == 0)
            return describe(index, communicator, i - 1);
    }
    return (struct lost_message){.receive = NULL};
}

struct lost_message lost_message_last(const struct job_index *index, const struct communicator *communicator)
{
    for (size_t i = communicator->completed.count; i > 0; i--)
        if (is_truncated(&communicator->completed.items[i - 1]))
            return describe(index, communicator, i - 1);
    return (struct lost_message){.receive = NULL};
}
