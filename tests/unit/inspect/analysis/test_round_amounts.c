/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on what members of a collective call give each other pair by pair.
 */
#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { SIZE = 4, USUAL = 4000 };

static struct job job;
static struct analysis analysis;

/* All are in MPI_Alltoallv and give each other the usual amount. */
static void begin(void)
{
    job = new_judged_job(SIZE);
    for (int rank = 0; rank < SIZE; rank++) {
        struct collective_call *call = be_in_call(&job, rank, "MPI_Alltoallv", unknown);
        for (int peer = 0; peer < SIZE; peer++) {
            call->amounts = array_append(call->amounts, &call->amount_count, sizeof *call->amounts);
            call->amounts[peer] = (struct collective_amount){peer, USUAL, USUAL};
        }
    }
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(round_amounts, .init = begin, .fini = end);

static struct collective_call *call_of(int rank)
{
    return &world_of(&job, rank)->recent_collectives[0];
}

/* All but rank 1 have left the call for the next one; it has waited there for so long. */
static void leave_all_but_one(double age_s)
{
    call_of(1)->age_s = age_s;
    for (int rank = 0; rank < SIZE; rank++)
        if (rank != 1) {
            call_of(rank)->active = false;
            job.processes[rank].thread_count = 0;
            be_in_call(&job, rank, "MPI_Barrier", unknown);
        }
}

static void expect_pair(const char *message)
{
    const int culprits[] = {1, 2};
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 2, culprits);
    cr_expect_not_null(strstr(analysis.findings.items[0].message, message), "%s", analysis.findings.items[0].message);
}

static void expect_no_mismatch(void)
{
    analysis = judge_job(&job);
    for (size_t i = 0; i < analysis.findings.count; i++)
        cr_expect_neq(analysis.findings.items[i].kind, FINDING_COLLECTIVE_MISMATCH, "%s",
                      analysis.findings.items[i].message);
}

Test(round_amounts, that_fit)
{
    expect_no_mismatch();
}

Test(round_amounts, nothing_is_given)
{
    call_of(2)->amounts[1].given = 0;
    expect_pair("call 1 on MPI_COMM_WORLD, MPI_Alltoallv: rank 2 gives rank 1 nothing, and rank 1 expects 4000 bytes");
}

Test(round_amounts, more_is_given)
{
    call_of(1)->amounts[2].expected = 1;
    call_of(2)->amounts[1].expected = 1;
    expect_pair("rank 1 gives rank 2 4000 bytes, and rank 2 expects 1 byte; 1 more pair does not fit either");
}

/* Which a library may well take for all that there is. */
Test(round_amounts, less_is_given)
{
    call_of(2)->amounts[1].given = 100;
    expect_no_mismatch();
}

Test(round_amounts, less_is_given_and_others_have_left)
{
    call_of(2)->amounts[1].given = 100;
    leave_all_but_one(70);
    expect_pair("rank 2 gives rank 1 100 bytes, by its counts as they are now that it has left the call, and rank 1");
}

Test(round_amounts, who_has_left_may_have_changed_them)
{
    call_of(2)->amounts[1].given = 100;
    leave_all_but_one(50);
    expect_no_mismatch();
}

Test(round_amounts, who_has_left_cannot_have_changed_copies)
{
    call_of(2)->amounts[1].given = 100;
    call_of(2)->counts_are_kept = true;
    leave_all_but_one(0);
    expect_pair("rank 2 gives rank 1 100 bytes, and rank 1");
}

Test(round_amounts, who_has_left_has_changed_them)
{
    for (int peer = 0; peer < SIZE; peer++)
        call_of(2)->amounts[peer].given = 100;
    leave_all_but_one(70);
    expect_no_mismatch();
}

Test(round_amounts, of_what_one_gives_itself_nothing_is_said)
{
    call_of(2)->amounts[2].given = 0;
    expect_no_mismatch();
}

Test(round_amounts, that_are_not_known)
{
    for (int peer = 0; peer < SIZE; peer++)
        call_of(2)->amounts[peer] = (struct collective_amount){peer, -1, -1};
    expect_no_mismatch();
}
