/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which messages are under way from one member of a communicator to another.
 */
#include "unexpected.h"

#include "allocation.h"

#include <stdlib.h>

/* A send that the sender remembers. */
struct known_send {
    const struct operation *send;
    bool received;
};

struct known_sends {
    struct known_send *items; /* oldest first */
    size_t count;
};

/* How many receives of a tag the receiver remembers that no send was found for yet. */
struct tag_count {
    int32_t tag;
    uint64_t receives;
};

struct tag_counts {
    struct tag_count *items; /* by tag */
    size_t count;
};

static int compare_sends(const void *left_send, const void *right_send)
{
    const struct operation *left = ((const struct known_send *)left_send)->send;
    const struct operation *right = ((const struct known_send *)right_send)->send;
    if (left->posted != right->posted)
        return left->posted < right->posted ? -1 : 1;
    return left->serial < right->serial ? -1 : left->serial > right->serial;
}

static bool is_message(const struct operation *operation, uint32_t direction)
{
    return (operation->flags & direction) != 0 &&
           (operation->flags & (MPILENS_OPERATION_PARTITIONED | MPILENS_OPERATION_CANCELLED)) == 0;
}

static void add_sends(const struct member *sender, const struct member *receiver, const struct operations *operations,
                      struct known_sends *sends)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *send = &operations->items[i];
        if (!is_message(send, MPILENS_OPERATION_SEND) || !is_peer(sender, send->peer_local, send->peer_world, receiver))
            continue;
        sends->items = array_append(sends->items, &sends->count, sizeof *sends->items);
        sends->items[sends->count - 1].send = send;
    }
}

static int compare_tags(const void *left_tag, const void *right_tag)
{
    const int32_t left = ((const struct tag_count *)left_tag)->tag;
    const int32_t right = ((const struct tag_count *)right_tag)->tag;
    return left < right ? -1 : left > right;
}

static void add_receives(const struct member *receiver, const struct member *sender,
                         const struct operations *operations, struct tag_counts *tags)
{
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *receive = &operations->items[i];
        if (!is_message(receive, MPILENS_OPERATION_RECEIVE) ||
            !is_peer(receiver, receive->actual_local, receive->actual_world, sender))
            continue;
        tags->items = array_append(tags->items, &tags->count, sizeof *tags->items);
        tags->items[tags->count - 1] = (struct tag_count){.tag = receive->actual_tag, .receives = 1};
    }
}

static void merge_tags(struct tag_counts *tags)
{
    if (tags->count == 0)
        return;
    qsort(tags->items, tags->count, sizeof *tags->items, compare_tags);
    size_t last = 0;
    for (size_t i = 1; i < tags->count; i++) {
        if (tags->items[i].tag == tags->items[last].tag)
            tags->items[last].receives += tags->items[i].receives;
        else
            tags->items[++last] = tags->items[i];
    }
    tags->count = last + 1;
}

static bool take_receive(struct tag_counts *tags, int32_t tag)
{
    const struct tag_count wanted = {.tag = tag};
    struct tag_count *found =
        tags->count > 0 ? bsearch(&wanted, tags->items, tags->count, sizeof *tags->items, compare_tags) : NULL;
    if (found == NULL || found->receives == 0)
        return false;
    found->receives--;
    return true;
}

static bool is_awaited(const struct member *receiver, const struct member *sender, int32_t tag)
{
    const struct operations *receives = &receiver->communicator->receives;
    for (size_t i = 0; i < receives->count; i++)
        if (awaits_message(&receives->items[i]) && accepts(receiver, &receives->items[i], sender, tag))
            return true;
    return false;
}

/* Marks `surplus` of the sends as received, the likeliest first. */
static void mark_received(const struct member *sender, const struct member *receiver, struct known_sends *sends,
                          struct tag_counts *tags, uint64_t surplus)
{
    for (size_t i = 0; i < sends->count && surplus > 0; i++)
        if (take_receive(tags, sends->items[i].send->tag)) {
            sends->items[i].received = true;
            surplus--;
        }
    for (size_t i = 0; i < sends->count && surplus > 0; i++)
        if (!sends->items[i].received && is_awaited(receiver, sender, sends->items[i].send->tag)) {
            sends->items[i].received = true;
            surplus--;
        }
    for (size_t i = 0; i < sends->count && surplus > 0; i++)
        if (!sends->items[i].received) {
            sends->items[i].received = true;
            surplus--;
        }
}

static const struct channel *find_channel(const struct member *member, const struct member *peer)
{
    for (size_t i = 0; i < member->communicator->channel_count; i++) {
        const struct channel *channel = &member->communicator->channels[i];
        if (is_peer(member, channel->peer_local, channel->peer_world, peer))
            return channel;
    }
    return NULL;
}

/* Channels count partitioned messages, which match only each other and are never unexpected. */
static uint64_t count_partitioned(const struct member *member, const struct member *peer,
                                  const struct operations *operations, uint32_t direction)
{
    uint64_t count = 0;
    for (size_t i = 0; i < operations->count; i++) {
        const struct operation *operation = &operations->items[i];
        count += (operation->flags & direction) != 0 && (operation->flags & MPILENS_OPERATION_PARTITIONED) != 0 &&
                 (operation->flags & MPILENS_OPERATION_CANCELLED) == 0 &&
                 is_peer(member, operation->peer_local, operation->peer_world, peer);
    }
    return count;
}

/* Of the messages that `sender` has sent and `receiver` has not received: those that are partitioned, as far as the two
 * remember. */
static uint64_t count_partitioned_under_way(const struct member *sender, const struct member *receiver)
{
    const uint64_t sent = count_partitioned(sender, receiver, &sender->communicator->sends, MPILENS_OPERATION_SEND) +
                          count_partitioned(sender, receiver, &sender->communicator->completed, MPILENS_OPERATION_SEND);
    const uint64_t received =
        count_partitioned(receiver, sender, &receiver->communicator->completed, MPILENS_OPERATION_RECEIVE);
    return sent > received ? sent - received : 0;
}

void find_under_way(const struct member *sender, const struct member *receiver, struct under_way *under_way)
{
    const struct channel *out = find_channel(sender, receiver);
    const struct channel *in = find_channel(receiver, sender);
    const uint64_t sent = out != NULL ? out->sent : 0;
    const uint64_t received = in != NULL ? in->received : 0;
    if (sent <= received)
        return;
    const uint64_t partitioned = count_partitioned_under_way(sender, receiver);
    if (sent - received <= partitioned)
        return;
    const uint64_t missing = sent - received - partitioned;

    struct known_sends sends = {0};
    add_sends(sender, receiver, &sender->communicator->completed, &sends);
    add_sends(sender, receiver, &sender->communicator->sends, &sends);
    if (sends.count > 1)
        qsort(sends.items, sends.count, sizeof *sends.items, compare_sends);
    if (sends.count > missing) {
        struct tag_counts tags = {0};
        add_receives(receiver, sender, &receiver->communicator->completed, &tags);
        merge_tags(&tags);
        mark_received(sender, receiver, &sends, &tags, sends.count - missing);
        free(tags.items);
    } else {
        under_way->unknown += missing - sends.count;
    }
    for (size_t i = 0; i < sends.count; i++) {
        if (sends.items[i].received)
            continue;
        under_way->items = array_append(under_way->items, &under_way->count, sizeof *under_way->items);
        under_way->items[under_way->count - 1] =
            (struct message_under_way){.sender = sender, .send = sends.items[i].send};
    }
    free(sends.items);
}
