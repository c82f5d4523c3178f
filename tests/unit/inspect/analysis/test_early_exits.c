/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words of verdicts about ranks that have called exit(), on hand-made jobs.
 */
#include "judged_job.h"
#include "model_builder.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(early_exits, .fini = end);

/* A job of two, of which rank 1 waits for rank 0. */
static struct process *new_job(uint32_t exit_status)
{
    job = new_judged_job(2);
    receive_from(&job, 1, 0, 7);
    add_judged_thread(&job, 0, "", 0);
    job.processes[0].has_ended = job.processes[1].has_ended = true;
    job.processes[0].exit_status = exit_status;
    return &job.processes[0];
}

static void expect_message(const char *text)
{
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_RANK_DIED);
    cr_expect_str_eq(analysis.findings.items[0].message, text);
    cr_expect(ranks_has(&analysis.findings.items[0].culprits, 0) && analysis.findings.items[0].culprits.count == 1);
}

static void add_collective(uint64_t entered)
{
    struct communicator *world = world_of(&job, 0);
    world->recent_collectives = allocate(sizeof *world->recent_collectives);
    world->collective_call_count = 1;
    world->recent_collectives[0] = (struct collective_call){
        .serial = 1, .function = "MPI_Barrier", .entered = entered, .datatype = "", .bytes = -1, .count = -1};
}

Test(early_exits, tells_the_status)
{
    new_job(1 + 7);
    expect_message("rank 0 has called exit(7) before MPI_Finalize");
    cr_expect_eq(analysis.findings.items[0].evidence.count, 1, "the call of rank 1");
}

Test(early_exits, tells_the_last_call)
{
    new_job(1);
    build_send(world_of(&job, 0), 1, 1, 8, BUILD_RETIRED)->posted = 5;
    add_collective(4);
    expect_message("rank 0 has called exit(0) before MPI_Finalize, after MPI_Isend");
}

Test(early_exits, tells_a_collective_that_came_last)
{
    new_job(1);
    build_send(world_of(&job, 0), 1, 1, 8, BUILD_RETIRED)->posted = 5;
    add_collective(6);
    expect_message("rank 0 has called exit(0) before MPI_Finalize, after MPI_Barrier");
}

Test(early_exits, of_finalized_ranks_are_failures)
{
    new_job(1 + 3)->state = PROCESS_FINALIZED;
    analysis = judge_job(&job);
    cr_assert_geq(analysis.findings.count, 1);
    cr_expect_str_eq(analysis.findings.items[0].message, "rank 0 has called exit(3) after MPI_Finalize");
}

Test(early_exits, leaves_living_ranks_alone)
{
    new_job(1 + 7)->has_ended = false;
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(early_exits, says_of_others_that_they_were_outside)
{
    new_job(0);
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    cr_expect(strstr(analysis.remark, "for rank 0, which was not in MPI when it ended") != NULL, "%s", analysis.remark);
}
