/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collective calls that members disagree about, leave out, or have left: the odd rank, and the advice.
 */
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static const struct site allreduce_site = {.module = "a", .file = "f.c", .line = 13};
static const struct site barrier_site = {.module = "a", .file = "f.c", .line = 14};
static const struct site receive_site = {.module = "a", .file = "f.c", .line = 9};

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(odd_ones, .fini = end);

static struct collective_call *call_at(int rank, const char *function, const struct site *site, bool is_in)
{
    struct collective_call *call =
        is_in ? be_in_call(&job, rank, function, unknown) : make_call(&job, rank, function, unknown, false);
    struct process *process = &job.processes[rank];
    call->site = site;
    if (is_in)
        process->threads[process->thread_count - 1].site = site;
    return call;
}

static void expect_text(const char *message, const char *remedy)
{
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_not_null(strstr(finding->message, message), "%s", finding->message);
    cr_assert_not_null(finding->remedy);
    cr_expect_not_null(strstr(finding->remedy, remedy), "%s", finding->remedy);
}

Test(odd_ones, one_of_many)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        call_at(rank, "MPI_Bcast", &receive_site, false);
        call_at(rank, rank == 1 ? "MPI_Barrier" : "MPI_Allreduce", rank == 1 ? &barrier_site : &allreduce_site, true);
    }
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, (int[]){1});
    expect_text("rank 1 (1 of 4 ranks) calls MPI_Barrier at f.c:14 where the others call MPI_Allreduce at f.c:13",
                "in the same order on all of its ranks: they diverge after call 1, MPI_Bcast at f.c:9");
    expect_evidence(&analysis, 3,
                    "made call 1 on MPI_COMM_WORLD: MPI_Bcast, the last one that all made at the same place");
}

Test(odd_ones, two_against_two)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++)
        call_at(rank, rank % 2 == 1 ? "MPI_Barrier" : "MPI_Allreduce", NULL, true);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 4, (int[]){0, 1, 2, 3});
    expect_text("MPI_COMM_WORLD: ranks [0,2] call MPI_Allreduce, ranks [1,3] call MPI_Barrier", "in the same order");
}

/* Those that have not come may be of either opinion. */
Test(odd_ones, while_most_have_not_come)
{
    job = new_judged_job(8);
    for (int rank = 0; rank < 3; rank++)
        call_at(rank, rank == 1 ? "MPI_Barrier" : "MPI_Allreduce", NULL, true);
    for (int rank = 3; rank < 8; rank++)
        receive_from(&job, rank, 0, 4);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 3, (int[]){0, 1, 2});
    expect_text("ranks [3-7] have not reached it yet (the last rank arrived 5.0 s ago)", "in the same order");
}

static void reduce_with(const char *op, const struct site *other)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        call_at(rank, "MPI_Allreduce", rank == 2 ? other : &allreduce_site, true)->op_name = rank == 2 ? op : "MPI_SUM";
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 1, (int[]){2});
}

Test(odd_ones, another_op_at_another_place)
{
    reduce_with("MPI_MAX", &barrier_site);
    expect_text("with MPI_MAX at f.c:14 where the others call it with MPI_SUM at f.c:13",
                "make the same collective calls in the same order on all ranks; or, if these two places belong "
                "together, name the same operation on all ranks");
}

Test(odd_ones, another_op_at_the_same_place)
{
    reduce_with("MPI_MAX", &allreduce_site);
    cr_expect_str_eq(analysis.findings.items[0].remedy, "name the same operation on all ranks");
}

/* A rank that has left the call early waits there no more. */
Test(odd_ones, some_have_left)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        if (rank != 2)
            call_at(rank, "MPI_Gather", &allreduce_site, rank == 0);
        if (rank == 0)
            continue;
        job.processes[rank].state = PROCESS_FINALIZING;
        add_judged_thread(&job, rank, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT);
    }
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISSING, 1, (int[]){2});
    expect_text("rank 0 waits in MPI_Gather(call 1 on MPI_COMM_WORLD) at f.c:13 for rank 2, which is in MPI_Finalize",
                "call it on rank 2 as well");
    cr_expect_eq(analysis.findings.items[0].ranks.count, 2);
}

/* All but rank 2 are in a call; `received`: how often each of those has received where rank 2 does. */
static void leave_out(int received)
{
    job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        if (rank == 2)
            receive_from(&job, rank, 0, 4);
        else
            call_at(rank, "MPI_Allreduce", &allreduce_site, true);
        for (int i = 0; i < (rank == 2 ? 2 : received); i++)
            build_details(build_receive(world_of(&job, rank), (rank + 1) % 4, (rank + 1) % 4, 4, BUILD_RETIRED))->site =
                &receive_site;
    }
    job.processes[2].threads[0].site = &receive_site;
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 2});
}

Test(odd_ones, call_left_out_by_one_that_is_a_step_ahead)
{
    leave_out(2);
    expect_text("rank 0 is in MPI_Allreduce",
                "call MPI_Allreduce at f.c:13 on rank 2 as well, as 3 of 4 ranks did; or send the message before "
                "MPI_Allreduce");
}

Test(odd_ones, message_behind_a_call)
{
    leave_out(3);
    expect_text("rank 0 is in MPI_Allreduce",
                "in the same order on all ranks involved; or call MPI_Allreduce at f.c:13 on rank 2 as well");
}

static void be_in_barrier_of(int rank, uint64_t id, uint64_t serial)
{
    const struct group *all = world_of(&job, rank)->group;
    struct communicator *communicator = build_communicator(&job.processes[rank], id, rank, 3, 0);
    communicator->group = all;
    communicator->name = id == 7 ? "first" : "second";
    communicator->collective_calls = serial;
    if (serial == 0)
        return;
    struct collective_call *call = make_call(&job, rank, "MPI_Barrier", unknown, true);
    world_of(&job, rank)->collective_calls = 0;
    communicator = &job.processes[rank].communicators[job.processes[rank].communicator_count - 1];
    communicator->recent_collectives = world_of(&job, rank)->recent_collectives;
    communicator->collective_call_count = 1;
    world_of(&job, rank)->recent_collectives = NULL;
    world_of(&job, rank)->collective_call_count = 0;
    call->serial = 1;
    add_judged_thread(&job, rank, "MPI_Barrier", MPILENS_CALL_COLLECTIVE)->communicator_id = id;
}

Test(odd_ones, calls_on_two_communicators_crossed)
{
    job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++) {
        be_in_barrier_of(rank, 7, rank == 0 ? 1 : 0);
        be_in_barrier_of(rank, 8, rank == 0 ? 0 : 1);
    }
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISSING, 1, (int[]){0});
    expect_text(
        "ranks [1,2] wait in MPI_Barrier(call 1 on second) for rank 0, which is in MPI_Barrier(call 1 on first)",
        "make the collective calls on second and first in the same order on all ranks; or, if rank 0 left out the one "
        "on second, call it there as well");
}
