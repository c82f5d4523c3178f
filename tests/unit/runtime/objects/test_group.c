/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups as ranges of world ranks.
 */
#include "inside.h"
#include "objects/objects.h"

#include <criterion/criterion.h>

enum { LARGE = 100000 };

static struct mpilens_range ranges[LARGE];

/* Expands the ranges as a reader does (layout.def: ranges that start at -1 are not known), and compares them with the
 * ranks. */
static size_t check_round_trip(const int *world_ranks, size_t count)
{
    size_t used = group_compress(world_ranks, count, ranges, LARGE);
    size_t place = 0;
    for (size_t i = 0; i < used; i++)
        for (int32_t k = 0; k < ranges[i].count; k++) {
            int rank = ranges[i].first < 0 ? -1 : ranges[i].first + k * ranges[i].stride;
            cr_assert_lt(place, count);
            cr_assert_eq(rank, world_ranks[place], "place %zu is %d, not %d", place, world_ranks[place], rank);
            place++;
        }
    cr_assert_eq(place, count);
    cr_assert_eq(group_compress(world_ranks, count, NULL, 0), used, "the number does not depend on the room");
    return used;
}

Test(group, is_one_range_of_ranks_at_equal_distance)
{
    static int ranks[LARGE];
    for (int stride = -2; stride <= 3; stride++) {
        for (int i = 0; i < LARGE; i++)
            ranks[i] = 2 * LARGE + stride * i;
        cr_assert_eq(check_round_trip(ranks, LARGE), 1, "stride %d", stride);
    }
}

Test(group, is_a_few_ranges_of_a_few_blocks)
{
    const int ranks[] = {0, 1, 2, 3, 8, 9, 10, 11, 20, 30, 40, 5, 4};
    cr_assert_leq(check_round_trip(ranks, sizeof ranks / sizeof ranks[0]), 4);
    const int one[] = {7};
    cr_assert_eq(check_round_trip(one, 1), 1);
    cr_assert_eq(ranges[0].stride, 0);
    cr_assert_eq(check_round_trip(NULL, 0), 0);
}

Test(group, keeps_every_order_of_few_ranks)
{
    for (int code = 0; code < 5 * 5 * 5 * 5 * 5; code++) {
        int ranks[5], rest = code;
        for (int i = 0; i < 5; i++, rest /= 5)
            ranks[i] = rest % 5;
        check_round_trip(ranks, 5);
    }
}

Test(group, keeps_ranks_of_another_world_apart)
{
    for (int code = 0; code < 5 * 5 * 5 * 5 * 5; code++) {
        int ranks[5], rest = code;
        for (int i = 0; i < 5; i++, rest /= 5)
            ranks[i] = rest % 5 - 1; /* -1: not known */
        check_round_trip(ranks, 5);
    }
}

Test(group, keeps_random_ranks_and_never_takes_more_ranges_than_ranks)
{
    static int ranks[LARGE];
    uint64_t random = 3;
    for (int i = 0; i < LARGE; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        ranks[i] = (int)((random >> 33) % LARGE);
    }
    cr_assert_leq(check_round_trip(ranks, LARGE), LARGE);
}

Test(group, has_a_number_that_depends_on_members_and_order_only)
{
    const int members[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {0, 1, 3, 2}, {0, 2, 4, 6}, {0, 0, 0, 0}, {4, 5, 6, 7}};
    const size_t count = sizeof members / sizeof members[0];
    uint64_t hashes[sizeof members / sizeof members[0]];
    for (size_t i = 0; i < count; i++) {
        size_t used = group_compress(members[i], 4, ranges, LARGE);
        hashes[i] = group_hash(ranges, used);
        cr_assert_neq(hashes[i], 0);
        cr_assert_eq(group_hash(ranges, used), hashes[i]);
        for (size_t k = 0; k < i; k++)
            cr_assert_neq(hashes[i], hashes[k]);
    }
}

Test(group, has_the_same_number_however_it_was_made)
{
    for (int size = 1; size < 6; size++) {
        const int ranks[] = {0, 1, 2, 3, 4, 5};
        const struct mpilens_group *group = group_of_range(0, size, 0);
        cr_assert_not_null(group);
        size_t used = group_compress(ranks, (size_t)size, ranges, LARGE);
        cr_assert_eq(group->range_count, used);
        cr_assert_eq(group->hash, group_hash(ranges, used), "size %d", size);
    }
}

Test(group, lives_as_long_as_somebody_holds_it)
{
    struct mpilens_group *group = group_of_range(3, 5, -1);
    cr_assert_eq(group->state, MPILENS_OBJECT_LIVE);
    cr_assert_eq(group->size, 5);
    cr_assert_eq(group->rank, -1);
    cr_assert_eq(group_retain(group), group);
    cr_assert_eq(group->users, 2);
    group_release(group);
    cr_assert_eq(shadow_count(MPILENS_TABLE_GROUPS, MPILENS_OBJECT_LIVE), 1);
    group_release(group);
    cr_assert_eq(shadow_count(MPILENS_TABLE_GROUPS, 0), 0);
    cr_assert_null(group_retain(NULL));
    group_release(NULL);
}
