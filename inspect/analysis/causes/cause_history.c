/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the messages before a cause that are like the awaited ones, and names ranks that have done less than others
 * in the same call.
 */
#include "analysis/causes/causes.h"

#include "analysis/messages/messages.h"
#include "base/base.h"

#include <inttypes.h>

enum {
    MOST_NAMED = 4,      /* things of a kind */
    MOST_LOOKED_AT = 16, /* of what is waited for */
};

/* The usual number of sends of members that received the same number. */
static const char *describe_usual(const struct odd_one *odd)
{
    const char *plural = odd->others > 1 ? "s" : "";
    if (odd->usual == 0)
        return arena_text("the %zu other%s in that call sent as many as they received", odd->others, plural);
    return arena_text("the %zu other%s in that call sent %" PRId64 " %s than they received", odd->others, plural,
                      odd->usual > 0 ? odd->usual : -odd->usual, odd->usual > 0 ? "fewer" : "more");
}

static const char *describe_odd(const struct cause_text *text, const struct odd_one *odd)
{
    const char *label = find_label(text->labels, odd->communicator->id);
    const char *plural = odd->value == 1 ? "" : "s";
    const char *verb = odd->thing == ODD_SENT ? "sent" : "received";
    switch (odd->thing) {
    case ODD_ANSWERS: {
        const char *usual = describe_usual(odd);
        const char *said = arena_text("received %" PRIu64 " message%s from rank %d on %s and sent it %" PRIu64 "; %s",
                                      odd->received, odd->received == 1 ? "" : "s", odd->peer, label, odd->sent, usual);
        return said;
    }
    case ODD_SENT:
    case ODD_RECEIVED:
        return arena_text("%s %" PRId64 " message%s on %s; the %zu others in that call %s %" PRId64, verb, odd->value,
                          plural, label, odd->others, verb, odd->usual);
    default:
        return arena_text("made %" PRId64 " collective call%s on %s; the %zu others in that call made %" PRId64 "%s",
                          odd->value, plural, label, odd->others, odd->usual,
                          odd->is_shared ? "" : " on their own communicators of that kind");
    }
}

void cause_write_odd(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct odd_ones odd = odd_ones_find(text->waits, cause);
    if (odd.count > 0 && odd.items[0].thing == ODD_ANSWERS) {
        const char *said = describe_odd(text, &odd.items[0]);
        fprintf(stream, "; rank %d has %s", odd.items[0].process->rank, said);
    }
}

void cause_add_odd(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    struct odd_ones odd = odd_ones_find(text->waits, cause);
    for (size_t i = 0; i < odd.count; i++)
        evidence_add_text(&finding->evidence, odd.items[i].process->rank, describe_odd(text, &odd.items[i]));
}

static bool is_named(const struct earlier_message *named, size_t count, const struct earlier_message *one)
{
    for (size_t i = 0; i < count; i++)
        if (named[i].sender == one->sender && site_is_same(named[i].send->details->site, one->send->details->site))
            return true;
    return false;
}

void cause_add_earlier(const struct cause_text *text, const uint32_t *nodes, size_t node_count, struct finding *finding)
{
    struct earlier_message named[MOST_NAMED];
    size_t looked_at = 0, name_count = 0;
    for (size_t i = 0; i < node_count && looked_at < MOST_LOOKED_AT && name_count < MOST_NAMED; i++) {
        struct wanted_message wanted;
        if (!cause_find_wanted(text->waits, nodes[i], &wanted))
            continue;
        const struct earlier_message earlier = sent_before_find_like(&text->waits->index, &wanted);
        looked_at++;
        if (earlier.send == NULL || is_named(named, name_count, &earlier))
            continue;
        named[name_count++] = earlier;
        evidence_add(
            &finding->evidence, earlier.sender->rank, earlier.send->serial,
            arena_text(
                "sent before, like the message that rank %d waits for now: %lld x %s, tag %d, to rank %d with %s",
                wanted.receiver->rank, (long long)earlier.send->details->count, earlier.send->details->datatype,
                earlier.send->tag, earlier.send->peer_world, earlier.send->details->function),
            evidence_place(earlier.send->details->site, earlier.send->details->function), earlier.send->age_s);
    }
}

void cause_add_all(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    cause_add_noted(text, cause, finding);
    cause_add_idle(text, cause, finding);
    cause_add_odd(text, cause, finding);
    cause_add_earlier(text, nodes, count, finding);
}
