/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on neighborhood collectives: only neighbours are waited for.
 */
#include "base/base.h"
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

TestSuite(neighbours, .fini = end);

/* MPI_COMM_WORLD gets a topology, at this rank. */
static void have_neighbours(int rank, int source, int destination)
{
    struct communicator *world = world_of(&job, rank);
    world->sources = group_pool_add_ranks(&job.groups, &source, 1);
    world->destinations = group_pool_add_ranks(&job.groups, &destination, 1);
}

static void exchange(int rank, bool active)
{
    struct communicator *world = world_of(&job, rank);
    build_collective(world, "MPI_Neighbor_allgather")->active = active;
    if (active)
        add_judged_thread(&job, rank, "MPI_Neighbor_allgather", MPILENS_CALL_COLLECTIVE)->communicator_id = world->id;
}

static void begin_ring(int size)
{
    job = new_judged_job(size);
    for (int rank = 0; rank < size; rank++)
        have_neighbours(rank, (rank + size - 1) % size, (rank + 1) % size);
}

static void expect_nothing(void)
{
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
}

/* Rank 0 needs rank 3, which computes; rank 2 waits for rank 0 and is none of its neighbours. */
Test(neighbours, others_need_not_come)
{
    begin_ring(4);
    exchange(0, true);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    receive_from(&job, 2, 0, 5);
    add_judged_thread(&job, 3, "", MPILENS_CALL_OTHER);
    expect_nothing();
}

/* With unknown neighbours: any rank that can still come may be the one. */
Test(neighbours, that_are_not_known)
{
    job = new_judged_job(4);
    exchange(0, true);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    receive_from(&job, 2, 0, 5);
    add_judged_thread(&job, 3, "", MPILENS_CALL_OTHER);
    expect_nothing();
}

Test(neighbours, source_that_waits_for_the_rank)
{
    begin_ring(4);
    exchange(0, true);
    exchange(1, true);
    exchange(2, true);
    receive_from(&job, 3, 0, 5);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 3});
}

/* A rank that has ended the call waits for no other in it. */
Test(neighbours, source_that_has_ended)
{
    begin_ring(4);
    exchange(0, true);
    exchange(1, false);
    exchange(2, false);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    add_judged_thread(&job, 2, "", MPILENS_CALL_OTHER);
    job.processes[3].state = PROCESS_FINALIZED;
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISSING, 1, (int[]){3});
    cr_expect_eq(analysis.findings.items[0].ranks.count, 2);
}

Test(neighbours, source_that_does_not_send)
{
    begin_ring(3);
    have_neighbours(2, 0, 0);
    exchange(0, false);
    exchange(1, false);
    exchange(2, true);
    add_judged_thread(&job, 0, "", MPILENS_CALL_OTHER);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_NO_MATCH, 2, (int[]){0, 2});
    cr_expect_not_null(strstr(analysis.findings.items[0].message, "waits for rank 0, whose destinations in "), "%s",
                       analysis.findings.items[0].message);
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "have rank 0 send to rank 2 in the topology too"));
}

/* One call that several have left out is told once. */
Test(neighbours, several_left_it_out)
{
    begin_ring(20);
    for (int rank = 0; rank < 20; rank++)
        if (rank % 5 != 3)
            exchange(rank, true);
    for (int rank = 3; rank < 20; rank += 5) {
        add_judged_thread(&job, rank, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT);
        job.processes[rank].state = PROCESS_FINALIZING;
    }
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISSING, 4, (int[]){3, 8, 13, 18});
}
