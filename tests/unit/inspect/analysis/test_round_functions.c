/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which collective calls are compared by what members give to them, and across which groups.
 */
#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(round_functions, .fini = end);

static void expect_mismatch(int culprit, const char *message)
{
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, &culprit);
    cr_expect_not_null(strstr(analysis.findings.items[0].message, message), "%s", analysis.findings.items[0].message);
}

static void expect_nothing(void)
{
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
}

static void call_everywhere(const char *function, const struct given last)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        be_in_call(&job, rank, function, rank < 2 ? ints : last);
}

#define EXPECT_COMPARED(name, function)                                                                                \
    Test(round_functions, name##_is_compared)                                                                          \
    {                                                                                                                  \
        call_everywhere(function, doubles);                                                                            \
        expect_mismatch(2, "MPI_DOUBLE");                                                                              \
    }

#define EXPECT_FREE(name, function)                                                                                    \
    Test(round_functions, name##_is_free)                                                                              \
    {                                                                                                                  \
        call_everywhere(function, doubles);                                                                            \
        expect_nothing();                                                                                              \
    }

EXPECT_COMPARED(allgather, "MPI_Allgather")
EXPECT_COMPARED(nonblocking_alltoall, "MPI_Ialltoall")
EXPECT_COMPARED(large_scatter, "MPI_Scatter_c")
EXPECT_COMPARED(persistent_reduce, "MPI_Reduce_init")
EXPECT_COMPARED(extension_for_persistent_bcast, "MPIX_Bcast_init")
EXPECT_COMPARED(reduce_scatter_block, "MPI_Reduce_scatter_block")
EXPECT_FREE(gatherv, "MPI_Gatherv")
EXPECT_FREE(scatterv, "MPI_Iscatterv")
EXPECT_FREE(reduce_scatter, "MPI_Reduce_scatter")
EXPECT_FREE(neighborhood, "MPI_Neighbor_alltoall")

/* Ranks 0 and 1 against 2 and 3. */
static void call_across(const char *function, bool has_root, const struct given left, const struct given right)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        struct communicator *world = world_of(&job, rank);
        world->intercommunicator = true;
        world->rank = rank % 2;
        world->size = world->remote_size = 2;
        world->group = group_pool_add_ranks(&job.groups, rank < 2 ? (int[]){0, 1} : (int[]){2, 3}, 2);
        world->remote_group = group_pool_add_ranks(&job.groups, rank < 2 ? (int[]){2, 3} : (int[]){0, 1}, 2);
        struct collective_call *call = be_in_call(&job, rank, function, rank < 2 ? left : rank == 2 ? ints : right);
        call->has_root = has_root;
        call->root = has_root && rank > 1 ? 0 : -1;
    }
}

Test(round_functions, of_groups_that_exchange_different_amounts)
{
    call_across("MPI_Alltoall", false, doubles, ints);
    expect_nothing();
}

Test(round_functions, of_groups_that_must_give_the_same)
{
    call_across("MPI_Allreduce", false, ints, doubles);
    expect_mismatch(3, "rank 3 (1 of 4 ranks) calls MPI_Allreduce with 1000 x MPI_DOUBLE");
}

Test(round_functions, of_a_group_beside_the_root)
{
    call_across("MPI_Bcast", true, doubles, ints);
    expect_nothing();
}

Test(round_functions, of_a_group_that_the_root_sends_to)
{
    call_across("MPI_Bcast", true, unknown, doubles);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 2, (int[]){2, 3});
}

/* A broadcast that each rank gives another idea of its root to: -1 is MPI_ROOT, -2 MPI_PROC_NULL. */
static void name_roots(const int roots[4])
{
    call_across("MPI_Bcast", true, ints, ints);
    for (int rank = 0; rank < 4; rank++) {
        struct collective_call *call = &world_of(&job, rank)->recent_collectives[0];
        call->root = roots[rank] >= 0 ? roots[rank] : -1;
        call->root_side = roots[rank] >= 0 ? 0 : roots[rank] == -1 ? MPILENS_ROOT_ITSELF : MPILENS_ROOT_BESIDE;
    }
}

Test(round_functions, of_one_root_across_groups)
{
    name_roots((const int[]){-2, -1, 1, 1});
    expect_nothing();
}

Test(round_functions, of_a_root_in_the_other_group)
{
    name_roots((const int[]){-1, 0, 0, 0});
    expect_mismatch(1, "rank 1 (1 of 4 ranks) calls MPI_Bcast with rank 2 as root");
}

Test(round_functions, of_two_roots_of_one_group)
{
    name_roots((const int[]){-1, -1, 0, 0});
    expect_mismatch(1, "rank 1 (1 of 4 ranks) calls MPI_Bcast with rank 1 as root");
}

Test(round_functions, of_a_root_that_does_not_know)
{
    name_roots((const int[]){-2, -2, 0, 0});
    expect_mismatch(0, "rank 0 (1 of 4 ranks) calls MPI_Bcast with another rank of its group as root");
}

Test(round_functions, of_a_rank_beside_whom_others_name)
{
    name_roots((const int[]){-2, -1, 1, 0});
    expect_mismatch(3, "rank 3 (1 of 4 ranks) calls MPI_Bcast with rank 0 as root");
}

static void have_made(int rank, const char *class, uint64_t count)
{
    struct communicator *world = world_of(&job, rank);
    world->collectives = array_append(world->collectives, &world->class_count, sizeof *world->collectives);
    world->collectives[world->class_count - 1] = (struct collective_class){.class = class, .count = count};
}

/* Ranks 0 and 1 have made this many barriers, far ahead of rank 2, which is in its third. */
static void go_on(uint64_t barriers)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++) {
        world_of(&job, rank)->collective_calls = rank < 2 ? 46 : 37;
        have_made(rank, "barrier", rank < 2 ? barriers : 3);
        have_made(rank, "allreduce", rank < 2 ? 47 - barriers : 35);
        be_in_call(&job, rank, rank < 2 ? "MPI_Allreduce" : "MPI_Barrier", unknown);
    }
}

Test(round_functions, others_have_made_fewer_of_that_class)
{
    go_on(2);
    expect_mismatch(2, "its call 38 is MPI_Barrier, number 3 of that kind; ranks [0,1] have made 47 calls there, but "
                       "only 2 of that kind");
}

Test(round_functions, others_have_made_as_many_of_that_class)
{
    go_on(3);
    analysis = judge_job(&job);
    for (size_t i = 0; i < analysis.findings.count; i++)
        cr_expect_neq(analysis.findings.items[i].kind, FINDING_COLLECTIVE_MISMATCH);
}
