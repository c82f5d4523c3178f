/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to change, on hand-made jobs.
 */
#include "allocation.h"
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

TestSuite(remedy, .fini = end);

static void send_to(int rank, int destination, int tag)
{
    const struct operation *send = build_send(world_of(&job, rank), destination, destination, tag, BUILD_PENDING);
    wait_for(&job, rank, "MPI_Send", MPILENS_CALL_POINT_TO_POINT, send->serial, 0);
}

/* The n-th collective call on MPI_COMM_WORLD, which is the first. */
static void call_collective(int rank, const char *function, int root)
{
    struct communicator *world = world_of(&job, rank);
    struct thread *thread = add_judged_thread(&job, rank, function, MPILENS_CALL_COLLECTIVE);
    thread->communicator_id = world->id;
    world->collectives = array_append(world->collectives, &world->collective_call_count, sizeof *world->collectives);
    world->collectives[0] = (struct collective_call){.serial = 1,
                                                     .function = function,
                                                     .active = true,
                                                     .has_root = root >= 0,
                                                     .root = root,
                                                     .count = -1,
                                                     .bytes = -1,
                                                     .datatype = "",
                                                     .op_name = ""};
    world->collective_count = 1;
}

static void expect_remedy(enum finding_kind kind, const char *part)
{
    analysis = judge_job(&job);
    cr_assert_gt(analysis.findings.count, 0);
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_eq(finding->kind, kind, "%s: %s", finding_kind_name(finding->kind), finding->message);
    cr_assert_not_null(finding->remedy, "%s", finding->message);
    cr_expect_not_null(strstr(finding->remedy, part), "%s", finding->remedy);
}

Test(remedy, of_receives_in_a_cycle)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    expect_remedy(FINDING_DEADLOCK, "send before it waits for a message");
}

Test(remedy, of_sends_in_a_cycle)
{
    job = new_judged_job(2);
    send_to(0, 1, 4);
    send_to(1, 0, 4);
    expect_remedy(FINDING_DEADLOCK, "receive before it sends");
}

Test(remedy, of_a_receive_before_a_collective_call)
{
    job = new_judged_job(2);
    call_collective(0, "MPI_Barrier", -1);
    receive_from(&job, 1, 0, 4);
    expect_remedy(FINDING_DEADLOCK, "send the message before MPI_Barrier");
}

Test(remedy, of_a_send_before_a_collective_call)
{
    job = new_judged_job(2);
    call_collective(0, "MPI_Barrier", -1);
    send_to(1, 0, 4);
    expect_remedy(FINDING_DEADLOCK, "receive the message before MPI_Barrier");
}

Test(remedy, of_roots_that_differ)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        call_collective(rank, "MPI_Bcast", rank == 2 ? 1 : 2);
    expect_remedy(FINDING_COLLECTIVE_MISMATCH, "the same root");
}

Test(remedy, of_functions_that_differ)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        call_collective(rank, rank == 2 ? "MPI_Barrier" : "MPI_Allreduce", -1);
    expect_remedy(FINDING_COLLECTIVE_MISMATCH, "in the same order");
}

Test(remedy, of_a_member_that_is_gone)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 2; rank++)
        call_collective(rank, "MPI_Barrier", -1);
    job.processes[2].state = PROCESS_FINALIZED;
    expect_remedy(FINDING_COLLECTIVE_MISSING, "let rank 2 make that call too");
}

Test(remedy, of_a_message_that_was_never_sent)
{
    job = new_judged_job(2);
    receive_from(&job, 1, 0, 4);
    job.processes[0].state = PROCESS_FINALIZED;
    expect_remedy(FINDING_WAITING_FOR_RANK, "let rank 0 send once more before MPI_Finalize");
}

Test(remedy, of_a_rank_that_ended)
{
    job = new_judged_job(2);
    receive_from(&job, 1, 0, 4);
    job.processes[0].state = PROCESS_EXITED;
    expect_remedy(FINDING_WAITING_FOR_RANK, "find out why rank 0 ended");
}

Test(remedy, of_tags_that_differ)
{
    job = new_judged_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    receive_from(&job, 1, 0, 8);
    job.processes[0].state = PROCESS_FINALIZED;
    expect_remedy(FINDING_TAG_MISMATCH, "the same tag");
}
