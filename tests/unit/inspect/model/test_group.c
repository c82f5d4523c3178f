/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups in ranges: members come out as they went in, and equal groups are one.
 */
#include "model/model.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct group_pool pool;

static void clear(void)
{
    arena_clear(&pool.arena);
    pool = (struct group_pool){.root = NULL};
}

TestSuite(group, .fini = clear);

/* The group must have exactly these members, by both lookups. */
static void expect_members(const struct group *group, const int *ranks, int count)
{
    cr_assert_not_null(group);
    cr_assert_eq(group->size, count);
    for (int local = 0; local < count; local++) {
        cr_expect_eq(group_world_rank(group, local), ranks[local], "local rank %d", local);
        if (ranks[local] >= 0)
            cr_expect_eq(group_local_rank(group, ranks[local]), local, "world rank %d", ranks[local]);
    }
    cr_expect_eq(group_world_rank(group, -1), -1);
    cr_expect_eq(group_world_rank(group, count), -1);
    int members = 0;
    for (int world = -1; world < 1000; world++)
        members += group_local_rank(group, world) >= 0;
    int known = 0;
    for (int local = 0; local < count; local++)
        known += ranks[local] >= 0;
    cr_expect_eq(members, known, "%d world ranks are members instead of %d", members, known);
}

static const struct group *add(const int *ranks, size_t count)
{
    const struct group *group = group_pool_add_ranks(&pool, ranks, count);
    expect_members(group, ranks, (int)count);
    return group;
}

#define ADD(...) add((const int[]){__VA_ARGS__}, sizeof(const int[]){__VA_ARGS__} / sizeof(int))

Test(group, ranges)
{
    cr_expect_eq(ADD(0, 1, 2, 3)->range_count, 1);
    cr_expect_eq(ADD(9, 6, 3, 0)->range_count, 1);
    cr_expect_eq(ADD(7)->range_count, 1);
    cr_expect_eq(ADD(0, 1, 2, 10, 11, 12)->range_count, 2);
    cr_expect_eq(ADD(0, 5, 6, 7, 8)->range_count, 2);
    cr_expect_eq(ADD(8, 10, 12, 0, 1, 2)->range_count, 2, "the higher ones first");
}

Test(group, ranges_that_overlap)
{
    ADD(0, 2, 4, 6, 1, 3, 5, 7);
    ADD(5, 900, 17, 3, 90, 4, 6);
    ADD(0, 10, 20, 30, 5, 6, 7, 8);
}

Test(group, members_of_other_worlds_are_not_known)
{
    ADD(-1, 0, 1, 2);
    ADD(3, -1, -1, 4);
    ADD(-1, -1);
    cr_expect_eq(ADD(-1, -1, -1)->range_count, 1);
}

Test(group, no_members)
{
    const struct group *empty = group_pool_add_ranks(&pool, NULL, 0);
    expect_members(empty, NULL, 0);
    cr_expect_eq(group_pool_add_ranges(&pool, NULL, 0), empty);
    cr_expect_eq(group_world_rank(NULL, 0), -1);
    cr_expect_eq(group_local_rank(NULL, 0), -1);
}

Test(group, equal_groups_are_one)
{
    const struct group *group = ADD(0, 1, 2, 3, 8, 10, 12);
    cr_expect_eq(ADD(0, 1, 2, 3, 8, 10, 12), group);
    cr_expect_eq(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{0, 1, 4}, {8, 2, 3}}, 2), group);
    cr_expect_eq(group_pool_add_ranges(
                     &pool, (struct mpilens_rank_range[]){{0, 0, 1}, {1, 1, 2}, {3, 5, 2}, {10, 2, 2}, {7, 7, 0}}, 5),
                 group, "in other pieces");
    cr_expect_neq(ADD(0, 1, 2, 3, 8, 10, 13), group);
    cr_expect_neq(ADD(0, 1, 2, 3, 8, 10), group);
    cr_expect_neq(ADD(1, 0, 2, 3, 8, 10, 12), group);
}

Test(group, large_ranges)
{
    const struct group *group =
        group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{1000000000, 2, 5000000}, {0, 1, 100000}}, 2);
    cr_assert_eq(group->size, 5100000);
    cr_expect_eq(group_world_rank(group, 4999999), 1009999998);
    cr_expect_eq(group_local_rank(group, 1009999998), 4999999);
    cr_expect_eq(group_local_rank(group, 1009999997), -1);
    cr_expect_eq(group_local_rank(group, 77), 5000077);
}

Test(group, impossible_ranges)
{
    cr_expect_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{0, 1, -1}}, 1));
    cr_expect_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{5, -2, 4}}, 1), "below 0");
    cr_expect_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{2147483647, 1, 2}}, 1));
    cr_expect_null(
        group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{0, 0, 2147483647}, {0, 0, 2147483647}}, 2));
}

Test(group, more_members_than_a_world_can_have)
{
    cr_expect_not_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{0, 1, MOST_RANKS}}, 1));
    cr_expect_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{0, 1, MOST_RANKS}, {0, 1, 1}}, 2));
    cr_expect_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{7, 0, 2147483647}}, 1), "one again");
    cr_expect_not_null(group_pool_add_ranges(&pool, (struct mpilens_rank_range[]){{-1, 0, 2147483647}}, 1),
                       "strangers");
}

Test(group, any_permutation)
{
    enum { MOST = 64 };
    unsigned seed = 1;
    for (int round = 0; round < 2000; round++) {
        int ranks[MOST];
        const int count = (int)(seed % MOST) + 1;
        for (int i = 0; i < count; i++)
            ranks[i] = i * (1 + round % 7);
        for (int i = count - 1; i > 0 && round % 3 != 0; i -= 1 + round % 5) {
            seed = seed * 1103515245u + 12345u;
            const int other = (int)(seed >> 16) % (i + 1);
            const int rank = ranks[i];
            ranks[i] = ranks[other];
            ranks[other] = rank;
        }
        seed = seed * 1103515245u + 12345u;
        if (round % 11 == 0)
            ranks[count / 2] = -1;
        add(ranks, (size_t)count);
    }
}
