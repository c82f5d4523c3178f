/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of groups, asked for at a library that compares each rank with the members of the other group in turn.
 */
#include "mpi/functions.h"
#include "objects/objects_internal.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { LARGE = 20000, MOST_RANKS = LARGE + 8, GROUP = 1, WORLD = 2, PART = 3 };

static int group_ranks[LARGE], part_ranks[LARGE], part_size, open_parts;
static int places_in_part[MOST_RANKS]; /* of ranks in part_ranks, counted from 1; 0: not there */
static uint64_t comparisons;
static int world_size;

static int group_size(MPI_Group group, int *ret_size)
{
    cr_assert_eq((uintptr_t)group, WORLD);
    *ret_size = world_size;
    return MPI_SUCCESS;
}

static int group_incl(MPI_Group group, int count, const int *ranks, MPI_Group *ret_part)
{
    cr_assert_eq((uintptr_t)group, WORLD);
    cr_assert_eq(open_parts++, 0);
    for (int i = 0; i < count; i++) {
        cr_assert(ranks[i] >= 0 && ranks[i] < world_size);
        part_ranks[i] = ranks[i];
        if (places_in_part[ranks[i]] == 0)
            places_in_part[ranks[i]] = i + 1;
    }
    comparisons += (uint64_t)count;
    part_size = count;
    *ret_part = (MPI_Group)(uintptr_t)PART;
    return MPI_SUCCESS;
}

static int group_free(MPI_Group *group)
{
    cr_assert_eq((uintptr_t)*group, PART);
    open_parts--;
    for (int i = 0; i < part_size; i++)
        places_in_part[part_ranks[i]] = 0;
    return MPI_SUCCESS;
}

/* Counts the comparisons, and has the answers at hand. */
static int translate(MPI_Group from, int count, const int *members, MPI_Group to, int *ret_ranks)
{
    cr_assert_eq((uintptr_t)from, GROUP);
    for (int i = 0; i < count; i++) {
        const int rank = group_ranks[members[i]];
        const int size = (uintptr_t)to == WORLD ? world_size : part_size;
        const int place = (uintptr_t)to == WORLD ? (rank < world_size ? rank + 1 : 0) : places_in_part[rank];
        ret_ranks[i] = place > 0 ? place - 1 : MPI_UNDEFINED;
        comparisons += (uint64_t)(place > 0 ? place : size);
    }
    return MPI_SUCCESS;
}

/* Asks for members that are there already. Returns the comparisons that it takes. */
static uint64_t ask(int size, int size_of_world)
{
    static int world_ranks[LARGE];
    mpilens__asked.MPI_Group_size = group_size;
    mpilens__asked.MPI_Group_incl = group_incl;
    mpilens__asked.MPI_Group_free = group_free;
    mpilens__asked.MPI_Group_translate_ranks = translate;
    world_size = size_of_world;
    comparisons = 0;
    cr_assert(group_members_ask((MPI_Group)(uintptr_t)GROUP, size, (MPI_Group)(uintptr_t)WORLD, world_ranks));
    cr_assert_eq(open_parts, 0);
    for (int i = 0; i < size; i++)
        cr_assert_eq(world_ranks[i], group_ranks[i] < size_of_world ? group_ranks[i] : -1, "member %d is not %d", i,
                     world_ranks[i]);
    return comparisons;
}

static void expect_linear(int size, int size_of_world, const char *what)
{
    const uint64_t needed = ask(size, size_of_world);
    if (TRANSLATES_BY_SEARCH)
        cr_expect_leq(needed, (uint64_t)(50 * size + 4 * size_of_world), "%s: %llu comparisons", what,
                      (unsigned long long)needed);
}

Test(group_members, take_linear_time)
{
    for (int i = 0; i < LARGE; i++)
        group_ranks[i] = i;
    expect_linear(LARGE, LARGE, "all");
    for (int stride = 2; stride <= 7; stride++) {
        for (int i = 0; i < LARGE / stride; i++)
            group_ranks[i] = 1 + stride * i;
        expect_linear(LARGE / stride, MOST_RANKS, "equal distances");
    }
    for (int i = 0; i < LARGE; i++)
        group_ranks[i] = LARGE - 1 - i;
    expect_linear(LARGE, LARGE, "the other way round");
    for (int i = 0; i < LARGE / 4; i++)
        group_ranks[i] = i / 32 * 128 + i % 32;
    expect_linear(LARGE / 4, LARGE, "a block of a grid");
    for (int i = 0, rank = 0; i < LARGE / 10; i++, rank += 1 + rand() % 15)
        group_ranks[i] = rank;
    expect_linear(LARGE / 10, LARGE, "ascending");
}

Test(group_members, are_found_in_any_order)
{
    for (int size = 0; size < 200; size += 1 + size / 10)
        for (int attempt = 0; attempt < 20; attempt++) {
            for (int i = 0; i < size; i++) {
                const int other = rand() % (i + 1);
                group_ranks[i] = group_ranks[other];
                group_ranks[other] = i;
            }
            ask(size, size);
            ask(size, size - size / 3);
        }
}

Test(group_members, may_all_be_of_another_world)
{
    for (int i = 0; i < 100; i++)
        group_ranks[i] = 1000 + i;
    ask(100, 50);
    ask(100, 1);
}

static int fail(MPI_Group from, int count, const int *members, MPI_Group to, int *ret_ranks)
{
    (void)from, (void)count, (void)members, (void)to, (void)ret_ranks;
    return MPI_ERR_OTHER;
}

Test(group_members, may_not_be_told)
{
    int world_ranks[40];
    ask(1, 1);
    mpilens__asked.MPI_Group_translate_ranks = fail;
    world_size = 100;
    cr_assert_not(group_members_ask((MPI_Group)(uintptr_t)GROUP, 40, (MPI_Group)(uintptr_t)WORLD, world_ranks));
    cr_assert_eq(open_parts, 0);
}
