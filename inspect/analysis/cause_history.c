/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was sent and received before a cause, in words: messages that a sender has gone on to without the one that is
 * waited for, earlier ones like that, and ranks that have done less than others in the same call.
 */
#include "analysis/cause_text.h"
#include "analysis/odd_one_out.h"
#include "analysis/sent_before.h"
#include "base/allocation.h"

#include <inttypes.h>
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
    fprintf(stream, "; rank %d has not sent that message, but has sent later ones ", cause->wanted.peer_world);
    write_tags(stream, cause);
    fputs(", which nobody receives", stream);
    if (earlier.send == NULL)
        return;
    char *at = describe_at(earlier.send->site);
    fprintf(stream, "; rank %d sent one like it earlier with %s%s", earlier.sender->rank, earlier.send->function, at);
    if (earlier.send->peer_world != cause->wanted.receiver->rank)
        fprintf(stream, ", to rank %d", earlier.send->peer_world);
    free(at);
}

/* What the others have sent where they have received as many. */
static char *describe_usual(const struct odd_one *odd)
{
    const char *plural = odd->others > 1 ? "s" : "";
    if (odd->usual == 0)
        return format_text("the %zu other%s in that call sent as many as they received", odd->others, plural);
    return format_text("the %zu other%s in that call sent %" PRId64 " %s than they received", odd->others, plural,
                       odd->usual > 0 ? odd->usual : -odd->usual, odd->usual > 0 ? "fewer" : "more");
}

static char *describe_odd(const struct cause_text *text, const struct odd_one *odd)
{
    const char *label = find_label(text->labels, odd->communicator->id);
    const char *plural = odd->value == 1 ? "" : "s";
    const char *verb = odd->thing == ODD_SENT ? "sent" : "received";
    switch (odd->thing) {
    case ODD_ANSWERS: {
        char *usual = describe_usual(odd);
        char *said = format_text("received %" PRIu64 " message%s from rank %d on %s and sent it %" PRIu64 "; %s",
                                 odd->received, odd->received == 1 ? "" : "s", odd->peer, label, odd->sent, usual);
        free(usual);
        return said;
    }
    case ODD_SENT:
    case ODD_RECEIVED:
        return format_text("%s %" PRId64 " message%s on %s; the %zu others in that call %s %" PRId64, verb, odd->value,
                           plural, label, odd->others, verb, odd->usual);
    default:
        return format_text("made %" PRId64 " collective call%s on %s; the %zu others in that call made %" PRId64 "%s",
                           odd->value, plural, label, odd->others, odd->usual,
                           odd->is_shared ? "" : " on their own communicators of that kind");
    }
}

void cause_write_odd(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct odd_ones odd = odd_ones_find(text->waits, cause);
    if (odd.count > 0 && odd.items[0].thing == ODD_ANSWERS) {
        char *said = describe_odd(text, &odd.items[0]);
        fprintf(stream, "; rank %d has %s", odd.items[0].process->rank, said);
        free(said);
    }
    free(odd.items);
}

static void add_odd(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    struct odd_ones odd = odd_ones_find(text->waits, cause);
    for (size_t i = 0; i < odd.count; i++)
        finding_add_evidence(finding, odd.items[i].process->rank, 0, describe_odd(text, &odd.items[i]), copy_text(""),
                             -1);
    free(odd.items);
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
            format_text(
                "sent before, like the message that rank %d waits for now: %lld x %s, tag %d, to rank %d with %s",
                wanted.receiver->rank, (long long)earlier.send->count, earlier.send->datatype, earlier.send->tag,
                earlier.send->peer_world, earlier.send->function),
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
    add_odd(text, cause, finding);
    add_earlier(text, cause, finding);
}
