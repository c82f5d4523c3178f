/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the member of a communicator that has a rank.
 */
#include "matching/matching_internal.h"

#include "target/target.h"

int members_begin(struct members *members, size_t limit)
{
    *members = (struct members){.items = allocate_array(limit, sizeof(struct mpilens_matching_member *)),
                                .by_local = allocate_array(limit, sizeof(struct sort_entry))};
    return members->items != NULL && members->by_local != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
}

void members_clear(struct members *members)
{
    release(members->items);
    release(members->by_local);
    *members = (struct members){0};
}

uint64_t signed_key(int32_t value)
{
    return (uint64_t)((int64_t)value - INT32_MIN);
}

int members_settle(struct members *members)
{
    for (size_t place = 0; place < members->count; place++)
        members->by_local[place] =
            (struct sort_entry){.major = signed_key(members->items[place]->local_rank), .minor = place};
    return sort_entries(members->by_local, members->count);
}

static int32_t world_rank(const struct members *members, size_t place)
{
    return members->items[place]->world_rank;
}

/* The first place with this world rank or a higher one. */
static size_t find_world_place(const struct members *members, int32_t world)
{
    const int64_t guess = (int64_t)world - world_rank(members, 0); /* where nobody is missing */
    if (guess >= 0 && (uint64_t)guess < members->count && world_rank(members, (size_t)guess) == world &&
        (guess == 0 || world_rank(members, (size_t)guess - 1) < world))
        return (size_t)guess;
    size_t low = 0;
    for (size_t high = members->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (world_rank(members, middle) < world)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* If several worlds have this rank, the member with the local rank. */
static size_t find_world(const struct members *members, int32_t world, int32_t local)
{
    const size_t first = find_world_place(members, world);
    if (first == members->count || world_rank(members, first) != world)
        return NO_MEMBER;
    for (size_t place = first; place < members->count && world_rank(members, place) == world; place++)
        if (members->items[place]->local_rank == local)
            return place;
    return first;
}

static size_t find_local(const struct members *members, int32_t local)
{
    const size_t found = sorted_place(members->by_local, members->count, signed_key(local));
    if (found == members->count || members->by_local[found].major != signed_key(local))
        return NO_MEMBER;
    return members->by_local[found].minor;
}

size_t find_peer_member(const struct members *members, size_t of, int32_t peer_local, int32_t peer_world)
{
    if (peer_world >= 0)
        return find_world(members, peer_world, peer_local);
    if (peer_local < 0 || members->items[of]->is_intercommunicator)
        return NO_MEMBER;
    return find_local(members, peer_local);
}
