/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was sent and received before a cause, in words: messages that a sender has gone on to without the one that is
 * waited for, and earlier ones like that.
 */
#include "allocation.h"
#include "cause_text.h"
#include "sent_before.h"

#include <stdlib.h>

enum {
    MOST_NAMED = 4,      /* things of a kind */
    MOST_LOOKED_AT = 16, /* of what is waited for */
};

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

void cause_write_skipped(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct earlier_message earlier = sent_before_find_like(&text->waits->index, &cause->wanted);
    cause_write_stuck(stream, text, cause);
    fprintf(stream, "; rank %d has not sent that message, but later ones ", cause->wanted.peer_world);
    write_tags(stream, cause);
    fputs(", which nobody receives", stream);
    if (earlier.send == NULL)
        return;
    char *at = describe_at(earlier.send->site);
    fprintf(stream, "; rank %d has sent one like it with %s%s before", earlier.sender->rank, earlier.send->function,
            at);
    if (earlier.send->peer_world != cause->wanted.receiver->rank)
        fprintf(stream, ", to rank %d", earlier.send->peer_world);
    free(at);
}

static void add_later(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct operations *unexpected = cause->later != NULL ? &cause->wanted.communicator->unexpected : NULL;
    for (size_t i = 0, named = 0; unexpected != NULL && i < unexpected->count && named < MOST_NAMED; i++) {
        const struct operation *message = &unexpected->items[i];
        if (!is_later(cause, message))
            continue;
        finding_add_evidence(finding, message->peer_world, message->serial,
                             format_text("sent %lld x %s, tag %d, on %s with %s: nobody has received it",
                                         (long long)message->count, message->datatype, message->tag,
                                         find_label(text->labels, cause->wanted.communicator->id), message->function),
                             describe_site(message->site), message->age_s);
        named++;
    }
}

static bool is_named(const struct earlier_message *named, size_t count, const struct earlier_message *one)
{
    for (size_t i = 0; i < count; i++)
        if (named[i].sender == one->sender && site_is_same(named[i].send->site, one->send->site))
            return true;
    return false;
}

/* Where messages like those that are waited for were sent before, each place once. */
static void add_earlier(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    struct earlier_message named[MOST_NAMED];
    size_t count, looked_at = 0, name_count = 0;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count && looked_at < MOST_LOOKED_AT && name_count < MOST_NAMED; i++) {
        struct wanted_message wanted;
        if (!cause_find_wanted(text->waits, nodes[i], &wanted) || (cause->later != NULL && nodes[i] != cause->wanting))
            continue;
        const struct earlier_message earlier = sent_before_find_like(&text->waits->index, &wanted);
        looked_at++;
        if (earlier.send == NULL || is_named(named, name_count, &earlier))
            continue;
        named[name_count++] = earlier;
        finding_add_evidence(
            finding, earlier.sender->rank, earlier.send->serial,
            format_text("sent one like that which rank %d waits for before: %lld x %s, tag %d, to rank %d with %s",
                        wanted.receiver->rank, (long long)earlier.send->count, earlier.send->datatype,
                        earlier.send->tag, earlier.send->peer_world, earlier.send->function),
            describe_site(earlier.send->site), earlier.send->age_s);
    }
}

static bool is_about_what_was_left_out(const struct cause *cause)
{
    return cause->kind == FINDING_DEADLOCK || cause->kind == FINDING_WAITING_FOR_RANK || cause->later != NULL;
}

void cause_add_history(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    if (!is_about_what_was_left_out(cause))
        return;
    add_later(text, cause, finding);
    add_earlier(text, cause, finding);
}
