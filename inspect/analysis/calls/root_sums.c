/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares the sums of roots that members have given.
 */
#include "analysis/calls/calls.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MEMBERS = 64, LEAST_MEMBERS = 3 };

/* The sum of the roots that a member has given up to a call. */
struct sum_point {
    uint64_t serial;
    uint64_t sum;
    size_t member; /* in sums.members */
};

struct summed_member {
    const struct job_member *member;
    uint64_t last_alike, since;
    bool is_alike_again;
};

struct sums {
    struct summed_member *members;
    size_t member_count;
    struct sum_point *points;
    size_t point_count;
};

static void add_point(struct sums *sums, uint64_t serial, uint64_t sum)
{
    sums->points = array_append(sums->points, &sums->point_count, sizeof *sums->points);
    sums->points[sums->point_count - 1] = (struct sum_point){serial, sum, sums->member_count - 1};
}

/* Count and sum of a running process were not read at one moment. */
static void add_last(struct sums *sums, const struct job_member *member)
{
    const struct communicator *communicator = member->communicator;
    uint64_t sum = communicator->root_sum;
    if (process_can_act(member->process))
        return;
    for (uint64_t serial = communicator->collective_calls; serial > 0; serial--) {
        const struct collective_call *call = collective_round_call(member, serial);
        add_point(sums, serial, sum);
        if (call == NULL)
            return;
        sum -= call->has_root ? (uint64_t)(int64_t)call->root : 0;
    }
}

static void add_member(struct sums *sums, const struct job_member *member)
{
    for (size_t i = 0; i < sums->member_count; i++)
        if (sums->members[i].member == member)
            return;
    if (member == NULL || sums->member_count == MOST_MEMBERS || member->communicator->root_sum == 0)
        return;
    sums->members[sums->member_count++] = (struct summed_member){.member = member};
    for (size_t i = 0; i < member->communicator->mark_count; i++)
        if (member->communicator->marks[i].root_sum != 0)
            add_point(sums, member->communicator->marks[i].begun, member->communicator->marks[i].root_sum);
    add_last(sums, member);
}

static int compare_points(const void *left_point, const void *right_point)
{
    const struct sum_point *left = left_point;
    const struct sum_point *right = right_point;
    if (left->serial != right->serial)
        return left->serial < right->serial ? -1 : 1;
    return left->member < right->member ? -1 : left->member > right->member;
}

/* Each member once at each call. */
static void sort_points(struct sums *sums)
{
    size_t kept = 0;
    if (sums->point_count > 1)
        qsort(sums->points, sums->point_count, sizeof *sums->points, compare_points);
    for (size_t i = 0; i < sums->point_count; i++)
        if (kept == 0 || compare_points(&sums->points[kept - 1], &sums->points[i]) != 0)
            sums->points[kept++] = sums->points[i];
    sums->point_count = kept;
}

static bool find_usual(const struct sum_point *points, size_t count, uint64_t *ret_sum)
{
    for (size_t i = 0; i < count && count >= LEAST_MEMBERS; i++) {
        size_t alike = 0;
        for (size_t j = 0; j < count; j++)
            alike += points[j].sum == points[i].sum;
        if (alike * 2 > count) {
            *ret_sum = points[i].sum;
            return true;
        }
    }
    return false;
}

/* All points at one call. */
static void compare(const struct sums *sums, const struct sum_point *points, size_t count)
{
    uint64_t usual;
    if (!find_usual(points, count, &usual))
        return;
    for (size_t i = 0; i < count; i++) {
        struct summed_member *member = &sums->members[points[i].member];
        const bool is_alike = points[i].sum == usual;
        if (is_alike && member->since == 0)
            member->last_alike = points[i].serial;
        else if (is_alike)
            member->is_alike_again = true;
        else if (member->since == 0)
            member->since = points[i].serial;
    }
}

static const struct collective_call *find_usual_call(const struct sums *sums, const struct collective_call *own)
{
    for (size_t i = 0; i < sums->member_count; i++) {
        const struct collective_call *call = collective_round_call(sums->members[i].member, own->serial);
        if (call != NULL && call != own)
            return call;
    }
    return NULL;
}

/* Where one call is the one, and is remembered. False: it is another function. */
static bool find_calls(const struct sums *sums, struct odd_root *odd)
{
    if (odd->since != odd->last_alike + 1)
        return true;
    odd->own = collective_round_call(odd->member, odd->since);
    odd->usual = odd->own != NULL ? find_usual_call(sums, odd->own) : NULL;
    return odd->usual == NULL || !collective_calls_differ(odd->own, odd->usual, ROUND_OTHER_FUNCTION);
}

/* Roots that add up to the same again were calls in another order. */
static struct odd_root find_odd(const struct sums *sums)
{
    struct odd_root odd = {.member = NULL};
    for (size_t i = 0; i < sums->member_count; i++) {
        const struct summed_member *member = &sums->members[i];
        if (member->since == 0 || member->is_alike_again)
            continue;
        if (odd.member != NULL)
            return (struct odd_root){.member = NULL};
        odd = (struct odd_root){.member = member->member,
                                .last_alike = member->last_alike,
                                .since = member->since,
                                .others = sums->member_count - 1};
    }
    return odd.member == NULL || find_calls(sums, &odd) ? odd : (struct odd_root){.member = NULL};
}

struct odd_root root_sums_find(const struct job_index *index, const struct communicator *communicator,
                               const struct ranks *first)
{
    const struct job_members members = job_index_members(index, communicator->id);
    if (communicator->intercommunicator || members.count < LEAST_MEMBERS)
        return (struct odd_root){.member = NULL};
    struct sums sums = {.members = allocate(MOST_MEMBERS * sizeof *sums.members)};
    for (size_t i = 0; i < first->count && i < MOST_MEMBERS / 2; i++)
        add_member(&sums, job_members_find(&members, first->items[i]));
    for (size_t i = 0; i < members.count && i < MOST_MEMBERS; i++)
        add_member(&sums, &members.items[i]);
    sort_points(&sums);
    for (size_t begin = 0, end; begin < sums.point_count; begin = end) {
        for (end = begin + 1; end < sums.point_count && sums.points[end].serial == sums.points[begin].serial;)
            end++;
        compare(&sums, &sums.points[begin], end - begin);
    }
    const struct odd_root odd = find_odd(&sums);
    free(sums.members);
    free(sums.points);
    return odd;
}
