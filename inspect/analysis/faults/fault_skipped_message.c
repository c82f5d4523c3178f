/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that its sender has not sent, though it has sent later ones.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "model/model.h"

enum { MOST_NAMED = 4 };

/* So many receives show what is usual at a place. */
enum { LEAST_USUAL = 3 };

/* Whether the receiver has never received with that tag at that place, but with others: then the tag may be its fault.
 */
static bool has_unusual_tag(const struct wanted_message *wanted)
{
    const struct communicator *communicator = find_communicator(wanted->receiver, wanted->communicator->id);
    size_t others = 0;
    for (size_t i = 0; communicator != NULL && wanted->site != NULL && i < communicator->completed.count; i++) {
        const struct operation *receive = &communicator->completed.items[i];
        if (!(receive->flags & MPILENS_OPERATION_RECEIVE) || !site_is_same(receive->details->site, wanted->site))
            continue;
        if (receive->tag == wanted->tag)
            return false;
        others += receive->peer_world == wanted->peer_world;
    }
    return others >= LEAST_USUAL;
}

static bool try_skipped(const struct waits *waits, struct cause *cause)
{
    cause->later = sent_before_find_later(&waits->index, &cause->wanted);
    if (cause->later == NULL)
        return false;
    cause->kind = FINDING_NO_MATCH;
    ranks_add(&cause->ranks, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->wanted.peer_world);
    if (has_unusual_tag(&cause->wanted))
        cause_add_culprit(cause, cause->wanted.receiver->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_skipped);
}

static bool is_later(const struct cause *cause, const struct operation *message)
{
    return message->peer_world == cause->later->peer_world &&
           (message->posted >= cause->later->posted || message->serial == cause->later->serial);
}

/* "(tag 7)", "(tags 7, 8, ...)", of the messages that lie there. */
static void write_tags(FILE *stream, const struct cause *cause)
{
    const struct operations *unexpected = &cause->wanted.communicator->unexpected;
    int32_t tags[MOST_NAMED];
    size_t count = 0;
    bool more = false;
    for (size_t i = 0; i < unexpected->count; i++) {
        if (!is_later(cause, &unexpected->items[i]))
            continue;
        bool is_new = true;
        for (size_t j = 0; j < count; j++)
            is_new = is_new && tags[j] != unexpected->items[i].tag;
        more = more || (is_new && count == MOST_NAMED);
        if (is_new && count < MOST_NAMED)
            tags[count++] = unexpected->items[i].tag;
    }
    fputs(count > 1 ? "(tags " : "(tag ", stream);
    for (size_t i = 0; i < count; i++)
        fprintf(stream, "%s%d", i > 0 ? ", " : "", tags[i]);
    fputs(more ? ", ...)" : ")", stream);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct earlier_message earlier = sent_before_find_like(&text->waits->index, &cause->wanted);
    cause_write_stuck(stream, text, cause);
    fprintf(stream, "; rank %d has not sent that message, but has sent later ones ", cause->wanted.peer_world);
    write_tags(stream, cause);
    fputs(", which nobody receives", stream);
    if (has_unusual_tag(&cause->wanted))
        fprintf(stream, "; rank %d has always received with other tags there", cause->wanted.receiver->rank);
    if (earlier.send == NULL)
        return;
    const char *at = describe_at(earlier.send->details->site);
    fprintf(stream, "; rank %d sent one like it earlier with %s%s", earlier.sender->rank,
            earlier.send->details->function, at);
    if (earlier.send->peer_world != cause->wanted.receiver->rank)
        fprintf(stream, ", to rank %d", earlier.send->peer_world);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    const struct earlier_message earlier = sent_before_find_like(&text->waits->index, &cause->wanted);
    const int sender = cause->wanted.peer_world, receiver = cause->wanted.receiver->rank;
    if (has_unusual_tag(&cause->wanted))
        return arena_text("have rank %d receive with the tag that rank %d sends with, or have rank %d send with tag %d",
                          receiver, sender, sender, cause->wanted.tag);
    if (earlier.send == NULL || earlier.sender->rank != sender)
        return arena_text("have rank %d send it before these, or do not have rank %d wait for it", sender, receiver);
    return arena_text("have rank %d send it with %s%s, as before, or do not have rank %d wait for it", sender,
                      earlier.send->details->function, describe_at(earlier.send->details->site), receiver);
}

static void add_later(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct operations *unexpected = &cause->wanted.communicator->unexpected;
    for (size_t i = 0, named = 0; i < unexpected->count && named < MOST_NAMED; i++) {
        const struct operation *message = &unexpected->items[i];
        if (!is_later(cause, message) || message->details->function[0] == '\0')
            continue;
        cause_add_unreceived(text, message, cause->wanted.communicator, finding);
        named++;
    }
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause_add_idle(text, cause, finding);
    add_later(text, cause, finding);
    cause_add_odd(text, cause, finding);
    cause_add_earlier(text, &cause->wanting, 1, finding);
}

const struct fault fault_skipped_message = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
    .names_message = true,
};
