/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests whether a receive accepts a message.
 */
#include "matching/matching_internal.h"

#include "target/target.h"

#include "mpilens/layout.h"

struct want want_of(const struct members *members, size_t receiver, const struct mpilens_matched_operation *receive)
{
    struct want want = {
        .source = ANY_MEMBER, .any_tag = receive->tag_wild != 0, .tag = receive->tag_wild ? 0 : receive->tag};
    if (receive->peer_local >= 0)
        want.source = find_peer_member(members, receiver, receive->peer_local, receive->peer_world);
    return want;
}

struct want want_of_complete(const struct members *members, size_t receiver,
                             const struct mpilens_matched_operation *receive)
{
    if (receive->actual_local < 0)
        return want_of(members, receiver, receive);
    return (struct want){.source = find_peer_member(members, receiver, receive->actual_local, receive->actual_world),
                         .tag = receive->actual_tag};
}

bool awaits_message(const struct mpilens_matched_operation *receive)
{
    return receive->status != mqs_st_complete &&
           (receive->flags & (MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED)) == 0;
}

static struct sort_entry entry_of(const struct want *want)
{
    return (struct sort_entry){
        .major = want->source, .middle = !want->any_tag, .minor = want->any_tag ? 0 : signed_key(want->tag)};
}

static int make(struct wants *wants, const struct members *members, size_t receiver)
{
    const struct mpilens_matching_member *member = members->items[receiver];
    wants->items = allocate_array(member->receive_count, sizeof *wants->items);
    if (wants->items == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < member->receive_count; i++) {
        const struct mpilens_matched_operation *receive = operation_of(member, member->receives, i);
        if (!awaits_message(receive))
            continue;
        const struct want want = want_of(members, receiver, receive);
        wants->items[wants->count++] = entry_of(&want);
    }
    wants->is_made = true;
    return sort_entries(wants->items, wants->count);
}

static bool is_before(const struct sort_entry *left, const struct sort_entry *right)
{
    if (left->major != right->major)
        return left->major < right->major;
    return left->middle != right->middle ? left->middle < right->middle : left->minor < right->minor;
}

static bool contains(const struct wants *wants, const struct want *want)
{
    const struct sort_entry wanted = entry_of(want);
    size_t low = 0;
    for (size_t high = wants->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (is_before(&wants->items[middle], &wanted))
            low = middle + 1;
        else
            high = middle;
    }
    return low < wants->count && !is_before(&wanted, &wants->items[low]);
}

int is_wanted(struct wants *wants, const struct members *members, size_t receiver, size_t sender, int32_t tag,
              bool *ret_is_wanted)
{
    const int code = wants->is_made ? mqs_ok : make(wants, members, receiver);
    if (code != mqs_ok)
        return code;
    *ret_is_wanted = contains(wants, &(struct want){.source = sender, .tag = tag}) ||
                     contains(wants, &(struct want){.source = sender, .any_tag = true}) ||
                     contains(wants, &(struct want){.source = ANY_MEMBER, .tag = tag}) ||
                     contains(wants, &(struct want){.source = ANY_MEMBER, .any_tag = true});
    return mqs_ok;
}

void wants_clear(struct wants *wants)
{
    release(wants->items);
    *wants = (struct wants){0};
}
