/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the members of a communicator among the processes of a job.
 */
#include "matching/members.h"

#include "base/allocation.h"

#include <stdlib.h>

/* The processes of a job stand by rank. */
static int compare_members(const void *left_member, const void *right_member)
{
    const struct member *left = left_member;
    const struct member *right = right_member;
    if (left->id != right->id)
        return left->id < right->id ? -1 : 1;
    if (left->process != right->process)
        return left->process < right->process ? -1 : 1;
    return left->communicator < right->communicator ? -1 : left->communicator > right->communicator;
}

struct member *list_members(struct job *job, size_t *ret_count)
{
    size_t count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        count += job->processes[i].communicator_count;
    struct member *members = allocate(count * sizeof *members);
    size_t written = 0;
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            struct communicator *communicator = &job->processes[i].communicators[j];
            members[written++] = (struct member){communicator->id, &job->processes[i], communicator};
        }
    qsort(members, count, sizeof *members, compare_members);
    *ret_count = count;
    return members;
}

static int32_t world_rank(const struct members *members, size_t place)
{
    return members->items[place].process->rank;
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

/* Of several with this rank, which are of other worlds, the one that has the local rank. */
static size_t find_world(const struct members *members, int32_t world, int32_t local)
{
    const size_t first = find_world_place(members, world);
    if (first == members->count || world_rank(members, first) != world)
        return NO_MEMBER;
    for (size_t place = first; place < members->count && world_rank(members, place) == world; place++)
        if (members->items[place].communicator->rank == local)
            return place;
    return first;
}

static int32_t local_rank(const struct members *members, size_t place)
{
    return members->items[place].communicator->rank;
}

static int compare_local(const void *left_place, const void *right_place, void *members)
{
    const size_t left = *(const size_t *)left_place;
    const size_t right = *(const size_t *)right_place;
    if (local_rank(members, left) != local_rank(members, right))
        return local_rank(members, left) < local_rank(members, right) ? -1 : 1;
    return left < right ? -1 : left > right;
}

static size_t find_local(struct members *members, int32_t local)
{
    if (members->by_local == NULL) {
        members->by_local = allocate(members->count * sizeof *members->by_local);
        for (size_t place = 0; place < members->count; place++)
            members->by_local[place] = place;
        qsort_r(members->by_local, members->count, sizeof *members->by_local, compare_local, members);
    }
    size_t low = 0;
    for (size_t high = members->count; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (local_rank(members, members->by_local[middle]) < local)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == members->count || local_rank(members, members->by_local[low]) != local)
        return NO_MEMBER;
    return members->by_local[low];
}

size_t find_peer_member(struct members *members, size_t of, int32_t peer_local, int32_t peer_world)
{
    if (peer_world >= 0)
        return find_world(members, peer_world, peer_local);
    if (peer_local < 0 || members->items[of].communicator->intercommunicator)
        return NO_MEMBER;
    return find_local(members, peer_local);
}

void members_clear(struct members *members)
{
    free(members->by_local);
    members->by_local = NULL;
}
