/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on what members give to a collective call: how much, and of which types.
 */
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

TestSuite(round_data, .fini = end);

/* The rank has made that call and waits in MPI_Barrier, the next one. */
static void leave(int rank, const char *function, const struct given given)
{
    make_call(&job, rank, function, given, false);
    be_in_call(&job, rank, "MPI_Barrier", unknown);
}

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

static void expect_remedy(const char *part)
{
    const char *remedy = analysis.findings.items[0].remedy;
    cr_expect(remedy != NULL && strstr(remedy, part) != NULL, "%s", remedy);
}

Test(round_data, of_another_size)
{
    job = new_judged_job(3);
    be_in_call(&job, 0, "MPI_Bcast", ints);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", doubles);
    expect_mismatch(2,
                    "rank 2 (1 of 3 ranks) calls MPI_Bcast with 1000 x MPI_DOUBLE (8000 bytes) where the others call "
                    "it with 1000 x MPI_INT (4000 bytes)");
    expect_evidence(&analysis, 2, "made call 1 on MPI_COMM_WORLD: MPI_Bcast, 1000 x MPI_DOUBLE (8000 bytes)");
    expect_remedy("the same number of elements of the same types");
}

/* The root has sent all and waits in the next call. */
Test(round_data, of_other_types_where_some_have_left)
{
    job = new_judged_job(3);
    leave(0, "MPI_Bcast", floats);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    expect_mismatch(0, "rank 0 (1 of 3 ranks) calls MPI_Bcast with 1000 x MPI_FLOAT (4000 bytes) where the others call "
                       "it with 1000 x MPI_INT (4000 bytes)");
    expect_remedy("the same number of bytes is not enough");
}

/* It may be slow. */
Test(round_data, of_other_types_where_all_are_in_the_call)
{
    job = new_judged_job(3);
    be_in_call(&job, 0, "MPI_Bcast", floats);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    expect_nothing();
}

Test(round_data, of_other_types_where_those_that_left_need_not_wait)
{
    job = new_judged_job(3);
    make_call(&job, 0, "MPI_Bcast", floats, false);
    add_judged_thread(&job, 0, "", 0);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    expect_nothing();
}

Test(round_data, of_other_types_where_nobody_stands_still_in_the_call)
{
    job = new_judged_job(3);
    leave(0, "MPI_Bcast", floats);
    leave(1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    job.processes[2].threads[0].stalled = false;
    expect_nothing();
}

/* Ranks 0 and 3 wait for each other; rank 2 has that call before it. */
Test(round_data, of_other_types_in_a_call_that_nobody_waits_in)
{
    job = new_judged_job(4);
    leave(0, "MPI_Ibcast", floats);
    leave(1, "MPI_Ibcast", ints);
    make_call(&job, 2, "MPI_Ibcast", ints, true);
    add_judged_thread(&job, 2, "", 0);
    make_call(&job, 3, "MPI_Ibcast", ints, false);
    receive_from(&job, 3, 0, 4);
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_DEADLOCK, "%s", analysis.findings.items[0].message);
}

Test(round_data, of_other_types_where_a_member_is_missing)
{
    job = new_judged_job(4);
    leave(0, "MPI_Bcast", floats);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    receive_from(&job, 3, 1, 4);
    analysis = judge_job(&job);
    cr_assert_gt(analysis.findings.count, 0);
    cr_expect_neq(analysis.findings.items[0].kind, FINDING_COLLECTIVE_MISMATCH, "%s",
                  analysis.findings.items[0].message);
}

Test(round_data, of_the_same_data_in_other_elements)
{
    job = new_judged_job(3);
    leave(0, "MPI_Bcast", int_rows);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    expect_nothing();
}

Test(round_data, of_other_elements_that_are_combined)
{
    job = new_judged_job(3);
    leave(0, "MPI_Reduce", int_rows);
    be_in_call(&job, 1, "MPI_Reduce", ints);
    be_in_call(&job, 2, "MPI_Reduce", ints);
    expect_mismatch(0,
                    "rank 0 (1 of 3 ranks) calls MPI_Reduce with 10 x row (4000 bytes) where the others call it with "
                    "1000 x MPI_INT (4000 bytes)");
}

Test(round_data, of_other_types_that_cannot_be_compared)
{
    job = new_judged_job(3);
    leave(0, "MPI_Bcast", bytes);
    be_in_call(&job, 1, "MPI_Bcast", ints);
    be_in_call(&job, 2, "MPI_Bcast", ints);
    expect_nothing();
}

/* Ranks 0 and 1 are in MPI_Barrier, rank 2 waits for a message of rank 0; before that there was a call of all. */
static void wait_after(const struct given left, const struct given right)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 2; rank++)
        leave(rank, "MPI_Bcast", left);
    make_call(&job, 2, "MPI_Bcast", right, false);
    receive_from(&job, 2, 0, 4);
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_DEADLOCK, "%s", analysis.findings.items[0].message);
}

Test(round_data, of_other_types_in_a_call_that_is_over)
{
    wait_after(ints, floats);
}

Test(round_data, of_another_size_in_a_call_that_is_over)
{
    wait_after(ints, doubles);
}

/* Rank 0 is in MPI_Recv with a nonblocking call that has not ended at rank 1, of another size. */
Test(round_data, of_another_size_in_an_earlier_call_that_is_not_over)
{
    job = new_judged_job(3);
    make_call(&job, 0, "MPI_Ibcast", ints, false);
    make_call(&job, 1, "MPI_Ibcast", doubles, true);
    make_call(&job, 2, "MPI_Ibcast", ints, false);
    be_in_call(&job, 0, "MPI_Barrier", unknown);
    be_in_call(&job, 2, "MPI_Barrier", unknown);
    receive_from(&job, 1, 0, 4);
    expect_mismatch(1, "with 1000 x MPI_DOUBLE (8000 bytes) where the others call it with 1000 x MPI_INT (4000 bytes)");
}

Test(round_data, of_a_gather_whose_root_gives_nothing)
{
    job = new_judged_job(4);
    be_in_call(&job, 0, "MPI_Gather", unknown);
    be_in_call(&job, 1, "MPI_Gather", ints);
    be_in_call(&job, 2, "MPI_Gather", other_ints);
    be_in_call(&job, 3, "MPI_Gather", ints);
    for (int rank = 0; rank < 4; rank++) {
        world_of(&job, rank)->recent_collectives[0].has_root = true;
        world_of(&job, rank)->recent_collectives[0].root = 0;
    }
    expect_mismatch(2, "rank 2 (1 of 4 ranks) calls MPI_Gather with 1001 x MPI_INT (4004 bytes) where the others call "
                       "it with 1000 x MPI_INT (4000 bytes)");
}
