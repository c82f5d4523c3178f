/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests whether a receive accepts a message.
 */
#include "matching/wants.h"

#include "base/allocation.h"

#include <stdlib.h>

struct want want_of(struct members *members, size_t receiver, const struct operation *receive)
{
    struct want want = {
        .source = ANY_MEMBER, .any_tag = receive->tag_wild, .tag = receive->tag_wild ? 0 : receive->tag};
    if (receive->peer_local >= 0)
        want.source = find_peer_member(members, receiver, receive->peer_local, receive->peer_world);
    return want;
}

struct want want_of_complete(struct members *members, size_t receiver, const struct operation *receive)
{
    if (receive->actual_local < 0)
        return want_of(members, receiver, receive);
    return (struct want){.source = find_peer_member(members, receiver, receive->actual_local, receive->actual_world),
                         .tag = receive->actual_tag};
}

bool awaits_message(const struct operation *receive)
{
    return receive->status != mqs_st_complete &&
           (receive->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0;
}

static int compare_wants(const void *left_want, const void *right_want)
{
    const struct want *left = left_want;
    const struct want *right = right_want;
    if (left->source != right->source)
        return left->source < right->source ? -1 : 1;
    if (left->any_tag != right->any_tag)
        return left->any_tag ? -1 : 1;
    return left->tag < right->tag ? -1 : left->tag > right->tag;
}

static void make(struct wants *wants, struct members *members, size_t receiver)
{
    const struct operations *receives = &members->items[receiver].communicator->receives;
    wants->is_made = true;
    wants->items = allocate(receives->count * sizeof *wants->items);
    for (size_t i = 0; i < receives->count; i++)
        if (awaits_message(&receives->items[i]))
            wants->items[wants->count++] = want_of(members, receiver, &receives->items[i]);
    qsort(wants->items, wants->count, sizeof *wants->items, compare_wants);
}

static bool contains(const struct wants *wants, size_t source, bool any_tag, int32_t tag)
{
    const struct want wanted = {source, any_tag, any_tag ? 0 : tag};
    return bsearch(&wanted, wants->items, wants->count, sizeof wanted, compare_wants) != NULL;
}

bool is_wanted(struct wants *wants, struct members *members, size_t receiver, size_t sender, int32_t tag)
{
    if (!wants->is_made)
        make(wants, members, receiver);
    return contains(wants, sender, false, tag) || contains(wants, sender, true, 0) ||
           contains(wants, ANY_MEMBER, false, tag) || contains(wants, ANY_MEMBER, true, 0);
}

void wants_clear(struct wants *wants)
{
    free(wants->items);
    *wants = (struct wants){0};
}
