/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that make the same call with different peers are told together.
 */
#include "judged_job.h"
#include "model_builder.h"
#include "words/words.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(patterns, .fini = end);

static const struct finding *judge(void)
{
    analysis = judge_job(&job);
    cr_assert_gt(analysis.findings.count, 0);
    return &analysis.findings.items[0];
}

static void receive_in_ring(int size)
{
    job = new_judged_job(size);
    for (int rank = 0; rank < size; rank++)
        receive_from(&job, rank, (rank + 1) % size, 7);
}

Test(patterns, ring)
{
    receive_in_ring(1000);
    const struct finding *finding = judge();
    cr_expect_str_eq(finding->message,
                     "ranks [0-999] wait for each other in a cycle: each is in MPI_Recv(1 x MPI_INT <- rank+1 mod "
                     "1000, tag 7, MPI_COMM_WORLD)");
    cr_assert_eq(finding->evidence.count, 1);
    cr_expect_eq(finding->evidence.left_out, 0);
    cr_expect_eq(finding->evidence.items[0].ranks.count, 1000);
    expect_evidence(&analysis, 999, "in MPI_Recv(1 x MPI_INT <- rank+1 mod 1000, tag 7, MPI_COMM_WORLD)");
}

/* The one that does otherwise stands by itself. */
Test(patterns, ring_with_an_odd_one)
{
    job = new_judged_job(8);
    for (int rank = 0; rank < 8; rank++)
        receive_from(&job, rank, rank == 3 ? 0 : (rank + 7) % 8, 7);
    judge();
    expect_evidence(&analysis, 4, "in MPI_Recv(1 x MPI_INT <- rank-1 mod 8, tag 7, MPI_COMM_WORLD)");
    expect_evidence(&analysis, 3, "in MPI_Recv(1 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)");
}

Test(patterns, two_are_none)
{
    receive_in_ring(2);
    cr_expect_str_eq(judge()->message,
                     "ranks [0,1] wait for each other: rank 0 is in MPI_Recv(1 x MPI_INT <- 1, tag 7, MPI_COMM_WORLD); "
                     "rank 1 is in MPI_Recv(1 x MPI_INT <- 0, tag 7, MPI_COMM_WORLD)");
}

/* A name that the application has chosen may look like a place for a peer. */
Test(patterns, name_with_a_mark)
{
    receive_in_ring(4);
    for (int rank = 0; rank < 4; rank++)
        world_of(&job, rank)->name = "a" PEER_MARK;
    judge();
    expect_evidence(&analysis, 1, "in MPI_Recv(1 x MPI_INT <- 2, tag 7, a" PEER_MARK ")");
}

Test(patterns, same_peer)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++)
        receive_from(&job, rank, rank == 1 ? 0 : 1, rank == 1 ? 5 : 4);
    const struct finding *finding = judge();
    cr_expect_not_null(strstr(finding->message, "ranks [0,1] wait for each other: rank 0 is in"), "%s",
                       finding->message);
    expect_evidence(&analysis, 2, "in MPI_Recv(1 x MPI_INT <- 1, tag 4, MPI_COMM_WORLD)");
    expect_evidence(&analysis, 3, "in MPI_Recv(1 x MPI_INT <- 1, tag 4, MPI_COMM_WORLD)");
}

static void expect_rule(int32_t size, int32_t (*peer_of)(int32_t), const char *text)
{
    struct open_peer peers[64];
    size_t fitting;
    for (int32_t rank = 0; rank < size; rank++)
        peers[rank] = (struct open_peer){.rank = rank, .size = size, .local = peer_of(rank), .world = peer_of(rank)};
    const struct peer_rule rule = peer_rule_find(peers, (size_t)size, &fitting);
    const char *said = describe_peer_rule(&rule);
    cr_expect_eq(fitting, (size_t)size);
    cr_expect_str_eq(said, text);
}

static int32_t master(int32_t rank)
{
    (void)rank;
    return 3;
}

static int32_t below_in_grid(int32_t rank)
{
    return (rank + 4) % 16;
}

static int32_t right_in_grid(int32_t rank)
{
    return rank / 4 * 4 + (rank + 1) % 4;
}

static int32_t middle_of_three_dimensions(int32_t rank)
{
    return rank / 16 * 16 + (rank + 12) % 16;
}

static int32_t partner(int32_t rank)
{
    return rank ^ 2;
}

Test(patterns, rules)
{
    expect_rule(12, master, "3");
    expect_rule(16, below_in_grid, "rank+4 mod 16");
    expect_rule(16, right_in_grid, "rank+1 mod 4 in each 4");
    expect_rule(64, middle_of_three_dimensions, "rank-4 mod 16 in each 16");
    expect_rule(16, partner, "rank xor 2");
}

/* Pairs that are stuck in the same way are one finding, whichever of the two has the lower rank. */
Test(patterns, equal_cycles)
{
    static const struct site ask = {.module = "a", .file = "f.c", .line = 3};
    static const struct site answer = {.module = "a", .file = "f.c", .line = 8};
    job = new_judged_job(8);
    for (int rank = 0; rank < 8; rank++) {
        const bool asks = (rank % 2 == 0) == (rank < 6);
        receive_from(&job, rank, rank ^ 1, asks ? 4 : 5);
        job.processes[rank].threads[0].site = asks ? &ask : &answer;
    }
    const struct finding *finding = judge();
    cr_expect_eq(analysis.findings.count, 1);
    cr_expect_eq(finding->alike, 3);
    cr_expect_not_null(strstr(finding->message, "; 3 more groups are stuck in the same way"), "%s", finding->message);
}
