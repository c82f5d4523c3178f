/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs, for what real programs cannot be brought to do on demand: ranks that could not be read,
 * messages that do not fit, calls of which the outcome hangs on one rank.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <string.h>

Test(verdict, cycle_of_two)
{
    struct job job = new_judged_job(3);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    receive_from(&job, 2, 0, 9);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    cr_expect(analysis.findings.items[0].confirmed);
    cr_assert_eq(analysis.wait_count, 3);
    cr_expect(analysis.waits[0].is_cause);
    cr_expect(analysis.waits[2].dead && !analysis.waits[2].is_cause);
    end_judged_job(&job, &analysis);
}

Test(verdict, a_rank_that_goes_on_may_send)
{
    struct job job = new_judged_job(3);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 2, 4);
    add_judged_thread(&job, 2, "", MPILENS_CALL_OTHER);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark, "rank 2"));
    end_judged_job(&job, &analysis);
}

Test(verdict, a_rank_that_was_not_read_may_do_anything)
{
    struct job job = new_judged_job(3);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 2, 4);
    receive_from(&job, 2, 0, 4);
    job.processes[2].reason = copy_text("it runs on another host");
    job.processes[2].state = PROCESS_UNREADABLE;
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

Test(verdict, who_moved_between_the_samples_is_not_stuck)
{
    struct job job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    job.processes[1].threads[0].stalled = false;
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

Test(verdict, another_thread_may_send)
{
    struct job job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    analysis_clear(&analysis);
    job.processes[1].threads[1].waits_for_threads = true;
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    end_judged_job(&job, &analysis);
}

/* MPI_Waitany returns if one of its requests completes, MPI_Waitall needs all. */
Test(verdict, any_and_all)
{
    for (int all = 0; all < 2; all++) {
        struct job job = new_judged_job(3);
        const uint64_t first = build_receive(world_of(&job, 0), 1, 1, 4, BUILD_PENDING)->serial;
        const uint64_t second = build_receive(world_of(&job, 0), 2, 2, 4, BUILD_PENDING)->serial;
        wait_for(&job, 0, all ? "MPI_Waitall" : "MPI_Waitany", MPILENS_CALL_WAIT, first, second);
        receive_from(&job, 1, 0, 4);
        add_judged_thread(&job, 2, "", MPILENS_CALL_OTHER);
        struct analysis analysis = judge_job(&job);
        if (all)
            expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
        else
            cr_expect_eq(analysis.findings.count, 0);
        end_judged_job(&job, &analysis);
    }
}

/* A receive from any source is stuck only when all members are. */
Test(verdict, any_source)
{
    for (int live = 0; live < 2; live++) {
        struct job job = new_judged_job(4);
        receive_from(&job, 0, -1, 4);
        receive_from(&job, 1, 0, 4);
        receive_from(&job, 2, 0, 4);
        if (live)
            add_judged_thread(&job, 3, "", MPILENS_CALL_OTHER);
        else
            receive_from(&job, 3, 0, 4);
        struct analysis analysis = judge_job(&job);
        if (live)
            cr_expect_eq(analysis.findings.count, 0);
        else
            expect_one_finding(&analysis, FINDING_DEADLOCK, 4, (int[]){0, 1, 2, 3});
        end_judged_job(&job, &analysis);
    }
}

/* A standard send that nobody has received yet may have been buffered: in MPI_Waitall the receive is to blame. */
Test(verdict, sends_that_may_be_buffered)
{
    struct job job = new_judged_job(3);
    const uint64_t receive = build_receive(world_of(&job, 0), 1, 1, 4, BUILD_PENDING)->serial;
    const uint64_t send = build_send(world_of(&job, 0), 2, 2, 4, BUILD_PENDING)->serial;
    wait_for(&job, 0, "MPI_Waitall", MPILENS_CALL_WAIT, receive, send);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    receive_from(&job, 2, 0, 5);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s",
                 analysis.findings.count > 0 ? analysis.findings.items[0].message : "");
    end_judged_job(&job, &analysis);
}

Test(verdict, near_misses)
{
    struct job job = new_judged_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    receive_from(&job, 1, 0, 8);
    job.processes[0].state = PROCESS_FINALIZED;
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 1});
    cr_expect_not_null(strstr(analysis.findings.items[0].message, "tag 7, not 8"));
    end_judged_job(&job, &analysis);
}

/* The wrong destination, and one that waits for a message of that tag itself. */
Test(verdict, message_that_went_elsewhere)
{
    struct job job = new_judged_job(4);
    build_send(world_of(&job, 0), 3, 3, 7, BUILD_RETIRED);
    receive_from(&job, 0, 1, 9);
    receive_from(&job, 1, 0, 7);
    receive_from(&job, 2, 3, 5);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    expect_evidence(&analysis, 0,
                    "sent 1 x MPI_INT, tag 7, on MPI_COMM_WORLD with MPI_Isend to rank 3: nobody has received it");
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "meant for rank 1, not 3"));
    end_judged_job(&job, &analysis);
}

/* Rank 1 waits for a message of rank 0, which has sent it to rank 2 and waits for rank 1. */
static struct job misdirect(struct operation **ret_send)
{
    struct job job = new_judged_job(3);
    *ret_send = build_send(world_of(&job, 0), 2, 2, 7, BUILD_RETIRED);
    receive_from(&job, 0, 1, 9);
    receive_from(&job, 1, 0, 7);
    return job;
}

Test(verdict, message_that_went_to_one_that_is_gone)
{
    struct operation *send;
    struct job job = misdirect(&send);
    job.processes[2].state = PROCESS_FINALIZED;
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_NO_MATCH, 1, (int[]){0});
    cr_expect_not_null(strstr(analysis.findings.items[0].message, "lies at rank 2: rank 0 sent it there with"));
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "was meant for rank 1, not 2"));
    end_judged_job(&job, &analysis);
}

/* From where it has sent to rank 1 until now. */
Test(verdict, message_that_went_elsewhere_for_the_first_time)
{
    static const struct site place = {.module = "a", .file = "a.c", .line = 1};
    struct operation *send;
    struct job job = misdirect(&send);
    build_details(send)->site = &place;
    receive_from(&job, 2, 0, 5);
    build_details(build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED))->site = &place;
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_RETIRED);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_NO_MATCH, 1, (int[]){0});
    cr_expect_not_null(strstr(analysis.findings.items[0].message, "lies at rank 2"));
    end_judged_job(&job, &analysis);
}

/* The one that has it waits in a library, where it receives from that sender with one tag after the other. */
Test(verdict, message_that_lies_there_for_a_later_receive)
{
    enum { library_place = 4096 };
    static const struct site place = {.module = "a", .file = "a.c", .line = 1};
    struct operation *send;
    struct job job = misdirect(&send);
    build_details(send)->site = &place;
    build_details(build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED))->site = &place;
    build_receive(world_of(&job, 1), 0, 0, 7, BUILD_RETIRED);
    for (int tag = 3; tag <= 4; tag++) {
        build_send(world_of(&job, 0), 2, 2, tag, BUILD_RETIRED);
        build_details(build_receive(world_of(&job, 2), 0, 0, tag, BUILD_RETIRED))->site_address = library_place;
    }
    receive_from(&job, 2, 0, 5);
    build_details(&world_of(&job, 2)->receives.items[0])->site_address = library_place;
    struct analysis analysis = judge_job(&job);
    cr_assert_geq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_DEADLOCK, "%s", analysis.findings.items[0].message);
    end_judged_job(&job, &analysis);
}

/* The one that has it has got such ones before. */
Test(verdict, message_that_belongs_where_it_lies)
{
    struct operation *send;
    struct job job = misdirect(&send);
    build_send(world_of(&job, 0), 2, 2, 7, BUILD_RETIRED);
    build_receive(world_of(&job, 2), 0, 0, 7, BUILD_RETIRED);
    receive_from(&job, 2, 0, 5);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    end_judged_job(&job, &analysis);
}

Test(verdict, message_that_its_destination_waits_for)
{
    struct job job = new_judged_job(4);
    build_send(world_of(&job, 0), 3, 3, 7, BUILD_RETIRED);
    receive_from(&job, 0, 1, 9);
    receive_from(&job, 1, 0, 7);
    build_receive(world_of(&job, 3), 0, 0, 7, BUILD_PENDING);
    add_judged_thread(&job, 3, "", MPILENS_CALL_OTHER);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    for (size_t i = 0; i < analysis.findings.items[0].evidence.count; i++)
        cr_expect_null(strstr(analysis.findings.items[0].evidence.items[i].text, "nobody has received"));
    end_judged_job(&job, &analysis);
}

Test(verdict, message_longer_than_its_receive)
{
    struct job job = new_judged_job(2);
    struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    build_details(send)->bytes = 80;
    wait_for(&job, 0, "MPI_Send", MPILENS_CALL_POINT_TO_POINT, send->serial, 0);
    receive_from(&job, 1, 0, 7);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_SIZE_MISMATCH, 2, (int[]){0, 1});
    end_judged_job(&job, &analysis);
}

Test(verdict, rank_that_is_gone)
{
    struct job job = new_judged_job(2);
    receive_from(&job, 1, 0, 8);
    job.processes[0].state = PROCESS_EXITED;
    job.processes[0].reason = copy_text("its process has exited");
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 1, (int[]){0});
    end_judged_job(&job, &analysis);
}

Test(verdict, requests_that_keep_a_call)
{
    struct job job = new_judged_job(3);
    build_send(world_of(&job, 1), 0, 0, 4, BUILD_RETIRED);
    const uint64_t first = build_receive(world_of(&job, 0), 1, 1, 4, BUILD_PENDING)->serial;
    const uint64_t second = build_receive(world_of(&job, 0), 2, 2, 4, BUILD_PENDING)->serial;
    wait_for(&job, 0, "MPI_Waitall", MPILENS_CALL_WAIT, first, second);
    receive_from(&job, 1, 0, 9);
    receive_from(&job, 2, 0, 9);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 2});
    expect_evidence(&analysis, 0, "not complete: MPI_Irecv(1 x MPI_INT <- 2, tag 4, MPI_COMM_WORLD)");
    expect_evidence(&analysis, 0, "1 more request of this call already has a partner");
    end_judged_job(&job, &analysis);
}

/* Many cycles that are alike are told once. */
Test(verdict, alike)
{
    struct job job = new_judged_job(40);
    for (int i = 0; i < 40; i++)
        receive_from(&job, i, i ^ 1, 4);
    struct analysis analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].alike, 19);
    cr_expect_eq(analysis.findings.items[0].culprits.count, 40);
    end_judged_job(&job, &analysis);
}

/* The ranks that these calls need are not known: no finding, but a remark. */
Test(verdict, calls_of_which_is_not_known_what_they_wait_for)
{
    for (int patient = 0; patient <= 1; patient++) {
        struct job job = new_judged_job(3);
        add_judged_thread(&job, 0, "MPI_Comm_create_group", MPILENS_CALL_COMMUNICATOR)->age_s = patient ? 6 : 1;
        add_judged_thread(&job, 2, "MPI_Comm_create_group", MPILENS_CALL_COMMUNICATOR)->age_s = patient ? 7 : 1;
        receive_from(&job, 1, 0, 4);
        struct analysis analysis = judge_job(&job);
        cr_expect_eq(analysis.findings.count, 0);
        if (patient)
            cr_expect_str_eq(analysis.remark, "ranks [0,2] have been in MPI_Comm_create_group() for 7.0 s: they wait "
                                              "for something that cannot be seen and may be under way");
        else
            cr_expect_null(analysis.remark);
        end_judged_job(&job, &analysis);
    }
}

/* A sleeping rank is in a function of the system, which tells more than the line that calls it. */
Test(verdict, rank_that_sleeps_in_a_call)
{
    struct job job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    job.processes[1].activity = ACTIVITY_SLEEPING;
    job.processes[1].place = "log (a.c:7)";
    job.processes[1].stack = "flock < log (a.c:7) < main (a.c:20)";
    job.processes[1].called = "flock";
    job.processes[1].place_has_called = true;
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    struct analysis analysis = judge_job(&job);
    cr_expect_str_eq(analysis.remark,
                     "rank 0 has waited 5.0 s for rank 1, which is not in MPI: sleeping in flock, called "
                     "by log (a.c:7)");
    end_judged_job(&job, &analysis);
}
