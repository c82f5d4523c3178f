/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that are gone while others wait for them, or for any of several.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void finalize(int rank)
{
    add_judged_thread(&job, rank, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT);
    job.processes[rank].state = PROCESS_FINALIZING;
}

static void judge(void)
{
    analysis = judge_job(&job);
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

static void expect_message(const char *text)
{
    const char *message = analysis.findings.items[0].message;
    cr_expect_not_null(strstr(message, text), "%s", message);
}

/* Those that wait are named, and all that could send are told at once. */
Test(gone, all_that_could_send)
{
    job = new_judged_job(5);
    receive_from(&job, 1, -1, 8);
    receive_from(&job, 2, -1, 9);
    for (int rank = 0; rank < 5; rank += rank == 0 ? 3 : 1)
        finalize(rank);
    judge();
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 3, (int[]){0, 3, 4});
    expect_message(
        "rank 1 waits in MPI_Recv(1 x MPI_INT <- any, tag 8, MPI_COMM_WORLD), rank 2 in MPI_Recv(1 x MPI_INT "
        "<- any, tag 9, MPI_COMM_WORLD), for ranks [0,3,4], each of which is in MPI_Finalize");
    cr_expect_eq(analysis.findings.items[0].ranks.count, 5);
    end();
}

/* Blames the rank that ended too early, not the one that sent everything it had to. */
Test(gone, one_has_ended)
{
    job = new_judged_job(4);
    receive_from(&job, 0, -1, 8);
    finalize(1);
    finalize(3);
    job.processes[2].state = PROCESS_EXITED;
    job.processes[2].reason = copy_text("its process has exited");
    judge();
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 1, (int[]){2});
    expect_message("rank 0 waits in MPI_Recv(1 x MPI_INT <- any, tag 8, MPI_COMM_WORLD) for rank 2, which has exited");
    end();
}

/* It has only just come there. */
Test(gone, its_place_is_told)
{
    static const struct site place = {.module = "app", .function = "main", .file = "app.c", .line = 28};
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 8);
    finalize(1);
    job.processes[1].threads[0].site = &place;
    job.processes[1].threads[0].stalled = false;
    judge();
    expect_message("for rank 1, which is in MPI_Finalize at app.c:28");
    end();
}

/* Its black box has it. */
Test(gone, exited_in_a_call)
{
    static const struct site place = {.module = "app", .function = "main", .file = "app.c", .line = 28};
    job = new_judged_job(3);
    receive_from(&job, 0, 1, 8);
    receive_from(&job, 1, 2, 9);
    job.processes[1].state = PROCESS_EXITED;
    job.processes[1].has_ended = true;
    job.processes[1].threads[0].site = &place;
    judge();
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 1, (int[]){1});
    expect_message("for rank 1, which has exited in MPI_Recv at app.c:28");
    end();
}

Test(gone, only_others_in_finalize_wait)
{
    job = new_judged_job(3);
    finalize(0);
    finalize(1);
    job.processes[0].threads[0].age_s = job.processes[1].threads[0].age_s = 700;
    job.processes[2].state = PROCESS_EXITED;
    job.processes[2].reason = copy_text("its process has exited");
    judge();
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 1, (int[]){2});
    expect_message("ranks [0,1] wait in MPI_Finalize() for rank 2, which has exited");
    end();
}

/* For a moment at the end of every job; of black boxes, it is known whether they have. */
Test(gone, may_have_come_to_finalize)
{
    for (int is_known = 0; is_known < 2; is_known++) {
        job = new_judged_job(2);
        finalize(0);
        job.processes[0].threads[0].age_s = 0.2;
        job.processes[1].state = PROCESS_EXITED;
        job.processes[1].has_ended = is_known;
        job.processes[1].reason = is_known ? NULL : copy_text("its process has exited");
        judge();
        cr_expect_eq(analysis.findings.count, (size_t)is_known);
        end();
    }
}

Test(gone, message_of_another_tag_for_any_source)
{
    job = new_judged_job(3);
    receive_from(&job, 1, -1, 8);
    build_send(world_of(&job, 2), 1, 1, 7, BUILD_RETIRED);
    finalize(0);
    finalize(2);
    judge();
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){1, 2});
    expect_message("tag 7, not 8");
    end();
}

/* The first of several ranks that wait in the same way for others that are gone is reported. */
Test(gone, alike)
{
    job = new_judged_job(40);
    for (int i = 0; i < 40; i += 2) {
        receive_from(&job, i, i + 1, 4);
        finalize(i + 1);
    }
    judge();
    cr_assert_eq(analysis.findings.count, 1);
    expect_message("rank 0 waits in MPI_Recv(1 x MPI_INT <- 1, tag 4, MPI_COMM_WORLD)");
    expect_message("; 19 more groups are stuck in the same way");
    cr_expect_eq(analysis.findings.items[0].culprits.count, 20);
    cr_expect_eq(analysis.findings.items[0].ranks.count, 40);
    end();
}

/* On MPI_COMM_WORLD a message of its number 0, on the other communicator number 0 is expected: rank 1 itself, or
 * rank 2.
 */
Test(gone, message_of_the_same_number_on_another_communicator)
{
    for (int other = 1; other <= 2; other++) {
        job = new_judged_job(3);
        struct communicator *own = build_communicator(&job.processes[1], 77, other == 1 ? 0 : 1, other, 0);
        own->group = group_pool_add_ranks(&job.groups, (int[]){other, 1}, (size_t)other);
        const uint64_t receive = build_receive(own, 0, other, 7, BUILD_PENDING)->serial;
        wait_for(&job, 1, "MPI_Recv", MPILENS_CALL_POINT_TO_POINT, receive, 0);
        build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
        finalize(0);
        finalize(2);
        judge();
        expect_one_finding(&analysis, FINDING_COMMUNICATOR_MISMATCH, 2, (int[]){0, 1});
        expect_message("was sent on MPI_COMM_WORLD, not ");
        end();
    }
}

/* A receive from any source took the message of rank 0 and left rank 2's. */
Test(gone, receive_from_any_source_took_the_wrong_one)
{
    job = new_judged_job(3);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_send(world_of(&job, 2), 1, 1, 7, BUILD_RETIRED);
    struct operation *taken = build_receive(world_of(&job, 1), -1, -1, 7, BUILD_RETIRED);
    build_actual(world_of(&job, 1), taken, 0, 0, 7);
    receive_from(&job, 1, 0, 7);
    finalize(0);
    finalize(2);
    judge();
    expect_one_finding(&analysis, FINDING_NO_MATCH, 1, (int[]){1});
    expect_message("has taken the message from rank 0, and left the one from rank 2");
    end();
}
