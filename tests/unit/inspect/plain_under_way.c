/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages under way, one by one.
 */
#include "plain_under_way.h"

#include "base/base.h"

#include <stdlib.h>

static bool is_peer(struct plain_member of, int32_t peer_local, int32_t peer_world, struct plain_member other)
{
    if (peer_world >= 0)
        return peer_world == other.process->rank;
    return !of.communicator->intercommunicator && peer_local >= 0 && peer_local == other.communicator->rank;
}

bool plainly_awaits(const struct operation *receive)
{
    return receive->status != mqs_st_complete &&
           (receive->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0;
}

bool plainly_accepts(struct plain_member receiver, const struct operation *receive, struct plain_member sender,
                     int32_t tag)
{
    return (receive->peer_local < 0 || is_peer(receiver, receive->peer_local, receive->peer_world, sender)) &&
           (receive->tag_wild || receive->tag == tag);
}

static bool is_of(const struct operation *operation, uint32_t direction, bool partitioned)
{
    return (operation->flags & direction) != 0 && (operation->flags & MPILENS_OPERATION_CANCELLED) == 0 &&
           ((operation->flags & MPILENS_OPERATION_PARTITIONED) != 0) == partitioned;
}

static uint64_t count_partitioned(struct plain_member of, struct plain_member peer, const struct operations *operations,
                                  uint32_t direction)
{
    uint64_t count = 0;
    for (size_t i = 0; i < operations->count; i++)
        count += is_of(&operations->items[i], direction, true) &&
                 is_peer(of, operations->items[i].peer_local, operations->items[i].peer_world, peer);
    return count;
}

static const struct channel *channel_of(struct plain_member of, struct plain_member peer)
{
    for (size_t i = 0; i < of.communicator->channel_count; i++) {
        const struct channel *channel = &of.communicator->channels[i];
        if (is_peer(of, channel->peer_local, channel->peer_world, peer))
            return channel;
    }
    return NULL;
}

static uint64_t count_missing(struct plain_member sender, struct plain_member receiver)
{
    const struct channel *out = channel_of(sender, receiver);
    const struct channel *in = channel_of(receiver, sender);
    const uint64_t sent = out != NULL ? out->sent : 0;
    const uint64_t received = in != NULL ? in->received : 0;
    const uint64_t partitioned =
        count_partitioned(sender, receiver, &sender.communicator->sends, MPILENS_OPERATION_SEND) +
        count_partitioned(sender, receiver, &sender.communicator->completed, MPILENS_OPERATION_SEND);
    const uint64_t over =
        count_partitioned(receiver, sender, &receiver.communicator->completed, MPILENS_OPERATION_RECEIVE);
    const uint64_t missing = sent > received ? sent - received : 0;
    const uint64_t uncounted = partitioned > over ? partitioned - over : 0;
    return missing > uncounted ? missing - uncounted : 0;
}

struct sends {
    struct operation **items;
    size_t count;
};

static void add_sends(struct plain_member sender, struct plain_member receiver, const struct operations *operations,
                      struct sends *sends)
{
    for (size_t i = 0; i < operations->count; i++) {
        struct operation *send = &operations->items[i];
        if (!is_of(send, MPILENS_OPERATION_SEND, false) ||
            !is_peer(sender, send->peer_local, send->peer_world, receiver))
            continue;
        sends->items = array_append(sends->items, &sends->count, sizeof(struct operation *));
        size_t place = sends->count - 1;
        for (; place > 0; place--) {
            const struct operation *before = sends->items[place - 1];
            if (before->posted < send->posted || (before->posted == send->posted && before->serial < send->serial))
                break;
            sends->items[place] = sends->items[place - 1];
        }
        sends->items[place] = send;
    }
}

static bool was_received(struct plain_member receiver, struct plain_member sender, bool *used, int32_t tag)
{
    const struct operations *completed = &receiver.communicator->completed;
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if (used[i] || !is_of(receive, MPILENS_OPERATION_RECEIVE, false) || receive->actual_tag != tag ||
            !is_peer(receiver, receive->actual_local, receive->actual_world, sender))
            continue;
        used[i] = true;
        return true;
    }
    return false;
}

static bool is_awaited(struct plain_member receiver, struct plain_member sender, int32_t tag)
{
    const struct operations *receives = &receiver.communicator->receives;
    for (size_t i = 0; i < receives->count; i++)
        if (plainly_awaits(&receives->items[i]) && plainly_accepts(receiver, &receives->items[i], sender, tag))
            return true;
    return false;
}

void plain_find_messages(struct plain_member sender, struct plain_member receiver, struct plain_result *result)
{
    const uint64_t missing = count_missing(sender, receiver);
    struct sends sends = {0};
    add_sends(sender, receiver, &sender.communicator->completed, &sends);
    add_sends(sender, receiver, &sender.communicator->sends, &sends);
    bool *received = allocate(sends.count * sizeof *received);
    bool *used = allocate(receiver.communicator->completed.count * sizeof *used);
    uint64_t surplus = sends.count > missing ? sends.count - missing : 0;
    if (sends.count <= missing)
        result->unknown += missing - sends.count;
    for (size_t i = 0; i < sends.count && surplus > 0; i++)
        surplus -= received[i] = was_received(receiver, sender, used, sends.items[i]->tag);
    for (size_t i = 0; i < sends.count && surplus > 0; i++)
        if (!received[i])
            surplus -= received[i] = is_awaited(receiver, sender, sends.items[i]->tag);
    for (size_t i = 0; i < sends.count && surplus > 0; i++)
        if (!received[i])
            surplus -= received[i] = true;
    for (size_t i = 0; i < sends.count && missing > 0; i++) {
        if (received[i])
            continue;
        result->messages = array_append(result->messages, &result->message_count, sizeof *result->messages);
        result->messages[result->message_count - 1] = (struct plain_message){.send = sends.items[i], .sender = sender};
    }
    free(sends.items);
    free(received);
    free(used);
}
