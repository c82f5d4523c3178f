/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What does the runtime do when a communicator is made in a large world? Microseconds in which it learns the members of
 * a new group from a library that is not there: its functions answer at once. From 1,000 to 100,000 ranks, and the
 * slope. This is built for each way of asking (mpi_traits.h).
 */
#include "mpi/functions.h"
#include "mpi/mpi_traits.h"
#include "objects/objects.h"
#include "process/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SMALLEST = 1000, LARGEST = 100000, ROUNDS = 31, GROUP = 1, WORLD = 2, PART = 3 };

static int world_size;
static int group_ranks[LARGEST]; /* members of the group, as world ranks */
static int group_size;
static int places[LARGEST]; /* of world ranks, in the part that was made last */
static int part_ranks[LARGEST];
static int part_size;

static int comm_group(MPI_Comm communicator, MPI_Group *ret_group)
{
    (void)communicator;
    *ret_group = (MPI_Group)(uintptr_t)WORLD;
    return MPI_SUCCESS;
}

static int size_of(MPI_Group group, int *ret_size)
{
    *ret_size = (uintptr_t)group == WORLD ? world_size : group_size;
    return MPI_SUCCESS;
}

static int rank_in(MPI_Group group, int *ret_rank)
{
    (void)group;
    *ret_rank = 0;
    return MPI_SUCCESS;
}

static int include(MPI_Group group, int count, const int *ranks, MPI_Group *ret_part)
{
    (void)group;
    for (int i = 0; i < part_size; i++)
        places[part_ranks[i]] = 0;
    for (int i = 0; i < count; i++) {
        part_ranks[i] = ranks[i];
        places[ranks[i]] = i + 1;
    }
    part_size = count;
    *ret_part = (MPI_Group)(uintptr_t)PART;
    return MPI_SUCCESS;
}

static int free_group(MPI_Group *group)
{
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

static int translate(MPI_Group from, int count, const int *members, MPI_Group to, int *ret_ranks)
{
    (void)from;
    for (int i = 0; i < count; i++) {
        const int rank = group_ranks[members[i]];
        ret_ranks[i] = (uintptr_t)to == WORLD ? rank : places[rank] > 0 ? places[rank] - 1 : MPI_UNDEFINED;
    }
    return MPI_SUCCESS;
}

static double now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static double measure(void)
{
    double best = 1e12;
    for (int round = 0; round < ROUNDS; round++) {
        const double begin = now_us();
        struct mpilens_group *group = group_of_handle((MPI_Group)(uintptr_t)GROUP);
        const double end = now_us();
        if (group == NULL || group->size != group_size)
            exit(1);
        group_release(group);
        best = end - begin < best ? end - begin : best;
    }
    return best;
}

static void all_ranks(void)
{
    group_size = world_size;
    for (int i = 0; i < group_size; i++)
        group_ranks[i] = i;
}

static void every_second(void)
{
    group_size = world_size / 2;
    for (int i = 0; i < group_size; i++)
        group_ranks[i] = 2 * i;
}

static void blocks_of_a_grid(void)
{
    group_size = world_size / 4;
    for (int i = 0; i < group_size; i++)
        group_ranks[i] = i / 32 * 128 + i % 32;
}

static void backwards(void)
{
    group_size = world_size;
    for (int i = 0; i < group_size; i++)
        group_ranks[i] = world_size - 1 - i;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*choose)(void);
    } groups[] = {{"all", all_ranks},
                  {"every second", every_second},
                  {"blocks of 32 in 128", blocks_of_a_grid},
                  {"all, backwards", backwards}};
    mpilens__real.MPI_Comm_group = comm_group;
    mpilens__real.MPI_Group_size = size_of;
    mpilens__real.MPI_Group_rank = rank_in;
    mpilens__real.MPI_Group_incl = include;
    mpilens__real.MPI_Group_free = free_group;
    mpilens__real.MPI_Group_translate_ranks = translate;
    process_set_has_world(true);
    printf("Microseconds to learn the members of a group, by ranks of the world, and nanoseconds per rank; asked %s\n",
           TRANSLATES_BY_SEARCH ? "by guesses" : "in order");
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        double first = 0, last = 0;
        printf("%-20s", groups[i].name);
        for (world_size = SMALLEST; world_size <= LARGEST; world_size *= 10) {
            groups[i].choose();
            last = measure();
            first = world_size == SMALLEST ? last : first;
            printf("  %d: %.1f", world_size, last);
        }
        printf("  slope %.2f ns%s\n", (last - first) * 1e3 / (LARGEST - SMALLEST), last > 1000 ? "  over 1 ms" : "");
    }
    return 0;
}
