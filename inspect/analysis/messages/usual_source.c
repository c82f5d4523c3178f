/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds whose turn it is to send to a receive from any source: the one that is missing in a round, if each has its tag,
 * as libraries number them; else by the order of the sources before, whatever their tags.
 */
#include "analysis/messages/messages.h"

#include "model/model.h"

#include <string.h>

enum { LEAST_ROUNDS = 3 };

/* Received at the place of the wanted one. */
static bool is_of_place(const struct wanted_message *wanted, const struct operation *receive)
{
    return (receive->flags & MPILENS_OPERATION_RECEIVE) != 0 && receive->actual_world >= 0 &&
           receive->details->site_address == wanted->site_address;
}

/* The same, and of its type. */
static bool is_alike(const struct wanted_message *wanted, const struct operation *receive)
{
    return is_of_place(wanted, receive) && wanted->datatype != NULL && receive->details->datatype != NULL &&
           strcmp(receive->details->datatype, wanted->datatype) == 0;
}

/* The first one with that tag, from that source; -1: from any. */
static const struct operation *find_alike(const struct wanted_message *wanted, int32_t tag, int32_t source)
{
    const struct operations *completed = &wanted->communicator->completed;
    for (size_t i = 0; i < completed->count; i++)
        if (completed->items[i].actual_tag == tag && (source < 0 || completed->items[i].actual_world == source) &&
            is_alike(wanted, &completed->items[i]))
            return &completed->items[i];
    return NULL;
}

static size_t count_alike(const struct wanted_message *wanted, int32_t tag)
{
    const struct operations *completed = &wanted->communicator->completed;
    size_t count = 0;
    for (size_t i = 0; i < completed->count; i++)
        count += completed->items[i].actual_tag == tag && is_alike(wanted, &completed->items[i]);
    return count;
}

/* The only message of a round whose source has sent none in the round of the wanted message. NULL: there is no such
 * message, or several. */
static const struct operation *find_only_other(const struct wanted_message *wanted, int32_t tag)
{
    const struct operations *completed = &wanted->communicator->completed;
    const struct operation *other = NULL;
    for (size_t i = 0; i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        if (receive->actual_tag != tag || !is_alike(wanted, receive) ||
            find_alike(wanted, wanted->tag, receive->actual_world) != NULL)
            continue;
        if (other != NULL)
            return NULL;
        other = receive;
    }
    return other;
}

/* A message of the source that has sent one in each round but this, in which all others have. Of the oldest round, some
 * may be forgotten. NULL: there is no such source. */
static const struct operation *find_missing(const struct wanted_message *wanted)
{
    const struct operations *completed = &wanted->communicator->completed;
    const size_t here = wanted->tag_wild ? 0 : count_alike(wanted, wanted->tag);
    const struct operation *oldest = NULL, *missing = NULL;
    size_t rounds = 0;
    for (size_t i = 0; !wanted->tag_wild && i < completed->count; i++) {
        const struct operation *receive = &completed->items[i];
        const int32_t tag = receive->actual_tag;
        if (tag == wanted->tag || !is_alike(wanted, receive) || find_alike(wanted, tag, -1) != receive)
            continue;
        const struct operation *other = oldest != NULL ? find_only_other(wanted, tag) : NULL;
        if (oldest != NULL && (other == NULL || count_alike(wanted, tag) != here + 1 ||
                               (missing != NULL && missing->actual_world != other->actual_world)))
            return NULL;
        if (oldest == NULL)
            oldest = receive;
        else
            rounds++;
        missing = other;
    }
    return rounds >= LEAST_ROUNDS && here > 0 ? missing : NULL;
}

static const struct operation *next_like(const struct wanted_message *wanted, size_t *next)
{
    const struct operations *completed = &wanted->communicator->completed;
    while (*next < completed->count) {
        const struct operation *receive = &completed->items[(*next)++];
        if (is_of_place(wanted, receive))
            return receive;
    }
    return NULL;
}

/* Whether messages with the wanted tag are known to come there. One line of the program may receive all: the first one
 * of another kind may be anybody's. */
static bool is_usual_tag(const struct wanted_message *wanted)
{
    const struct operations *completed = &wanted->communicator->completed;
    for (size_t i = 0; !wanted->tag_wild && i < completed->count; i++)
        if (completed->items[i].actual_tag == wanted->tag && is_of_place(wanted, &completed->items[i]))
            return true;
    return !wanted->tag_wild && tag_gap_is_next(wanted->communicator, wanted->tag);
}

const struct operation *usual_source_find(const struct wanted_message *wanted)
{
    const struct operation *last = NULL, *before = NULL, *usual = NULL;
    size_t next = 0;
    if (wanted->site_address == 0)
        return NULL;
    const struct operation *missing = find_missing(wanted);
    if (missing != NULL)
        return missing;
    if (!is_usual_tag(wanted))
        return NULL;
    for (const struct operation *receive = next_like(wanted, &next); receive != NULL;
         receive = next_like(wanted, &next))
        last = receive;
    if (last == NULL)
        return NULL;
    next = 0;
    for (const struct operation *receive = next_like(wanted, &next); receive != NULL;
         receive = next_like(wanted, &next)) {
        if (before != NULL && before->actual_world == last->actual_world) {
            if (usual != NULL && usual->actual_world != receive->actual_world)
                return NULL;
            usual = receive;
        }
        before = receive;
    }
    return usual;
}
