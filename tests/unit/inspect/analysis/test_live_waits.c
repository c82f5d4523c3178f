/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Awaited ranks that can act: their description, and when they are a finding.
 */
#include "base/base.h"
#include "job/job_internal.h"
#include "judged_job.h"
#include "model_builder.h"
#include "stack/stack.h"

#include <criterion/criterion.h>
#include <string.h>

enum { longer_than_patience = 100 };

static struct job job;
static struct analysis analysis;

static void judge(void)
{
    analysis = judge_job(&job);
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

static struct thread *thread_of(int rank, size_t number)
{
    return &job.processes[rank].threads[number];
}

/* Rank 0 receives from rank 1, which is not in MPI. */
static struct thread *wait_for_outside(void)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    thread_of(0, 0)->age_s = longer_than_patience;
    struct thread *thread = add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    thread->age_s = longer_than_patience;
    return thread;
}

static void expect_remark(const char *text)
{
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark, text), "%s", analysis.remark);
}

static void expect_waiting_for(int rank, const char *text)
{
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 1, &rank);
    const char *message = analysis.findings.items[0].message;
    cr_expect_not_null(strstr(message, text), "%s", message);
}

Test(live_waits, long_outside_is_a_finding)
{
    wait_for_outside();
    judge();
    expect_waiting_for(1, "rank 0 has waited 100 s for rank 1, which is not in MPI");
    end();
}

Test(live_waits, a_call_not_long_ago_is_none)
{
    wait_for_outside()->age_s = 5;
    judge();
    expect_remark("rank 1, which is not in MPI");
    end();
}

Test(live_waits, a_message_not_long_ago_is_none)
{
    wait_for_outside();
    struct operation *send = build_send(world_of(&job, 1), 0, 0, 9, BUILD_RETIRED);
    send->age_s = longer_than_patience;
    judge();
    expect_waiting_for(1, "not in MPI");
    analysis_clear(&analysis);
    world_of(&job, 1)->completed.items[0].age_s = 5;
    judge();
    expect_remark("rank 1, which is not in MPI");
    end();
}

Test(live_waits, who_calls_between_the_samples_goes_on)
{
    wait_for_outside()->called_meanwhile = true;
    job.processes[1].place = "step (model.c:12)";
    judge();
    expect_remark("rank 1, which keeps calling MPI from step (model.c:12)");
    end();
}

Test(live_waits, who_is_in_another_call_goes_on)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    add_judged_thread(&job, 1, "MPI_Win_flush", MPILENS_CALL_SYNCHRONIZATION)->stalled = false;
    judge();
    expect_remark("rank 0 has waited 5.0 s for rank 1, which keeps calling MPI, and is now in MPI_Win_flush");
    end();
}

Test(live_waits, of_who_had_no_processor_it_is_not_known)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    struct thread *thread = add_judged_thread(&job, 1, "MPI_Win_flush", MPILENS_CALL_SYNCHRONIZATION);
    thread->stalled = false;
    job.processes[1].lacked_processor_s = 10.5;
    judge();
    expect_remark("rank 0 has waited 5.0 s for rank 1, which is in MPI_Win_flush");
    expect_remark("; rank 1 hardly had a processor for 10.5 s, so whether it stands still is not known: ask again, or "
                  "watch it longer, such as with 'mpilens why --interval=3'");
    analysis_clear(&analysis);
    job.processes[0].lacked_processor_s = 8;
    thread_of(0, 0)->stalled = false;
    job.interval_s = 3;
    const struct analysis_options options = analysis_default_options();
    analyze(&job, &options, &analysis);
    expect_remark(
        "ranks [0,1] hardly had a processor for 10.5 s, so whether they stand still is not known: ask again, or "
        "watch them longer, such as with 'mpilens why --interval=6'");
    end();
}

/* A thread that has called MPI before. */
Test(live_waits, beside_a_blocked_thread)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    judge();
    expect_remark("rank 1, which is in MPI_Recv(");
    cr_expect_not_null(strstr(analysis.remark, "but has another thread that is not in MPI"), "%s", analysis.remark);
    analysis_clear(&analysis);
    thread_of(0, 0)->age_s = thread_of(1, 0)->age_s = thread_of(1, 1)->age_s = longer_than_patience;
    world_of(&job, 1)->receives.items[0].age_s = longer_than_patience;
    judge();
    expect_waiting_for(1, "another thread that is not in MPI");
    end();
}

/* A thread that has not called MPI so far may do so, but is not waited for for ever. */
Test(live_waits, a_thread_that_was_never_seen)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    struct process *process = &job.processes[1];
    process->unseen_threads = 1;
    process->thread_place_count = 1;
    process->thread_places = allocate(sizeof *process->thread_places);
    process->thread_places[0] = (struct thread_place){.stack = "write < log (log.c:3) < run (log.c:9)",
                                                      .called = "write",
                                                      .innermost = "log (log.c:3)",
                                                      .activity = ACTIVITY_COMPUTING,
                                                      .threads = 1};
    judge();
    expect_remark("but has another thread that is not in MPI: computing in write < log (log.c:3)");
    cr_expect_null(strstr(analysis.remark, "run (log.c:9)"), "%s", analysis.remark);
    analysis_clear(&analysis);
    thread_of(1, 0)->age_s = longer_than_patience;
    judge();
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_not(finding->confirmed);
    cr_expect_not_null(
        strstr(finding->message, "a thread of rank 1 that has not called MPI yet might still end the wait"), "%s",
        finding->message);
    cr_expect_null(strstr(finding->message, "not confirmed"), "%s", finding->message);
    end();
}

/* The call is in an error handler of the application. */
Test(live_waits, a_peer_that_the_communicator_has_not)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 77, 4);
    world_of(&job, 1)->receives.items[0].peer_world = -1;
    judge();
    expect_remark("rank 1 has been in MPI_Recv(");
    cr_expect_not_null(strstr(analysis.remark, "it waits for something that cannot be seen"), "%s", analysis.remark);
    end();
}

Test(live_waits, calls_between_two_samples)
{
    static const struct {
        uint64_t entered, completions, serial;
        bool was_in_mpi, called;
    } cases[] = {
        {7, 3, 5, false, false}, {8, 3, 5, false, true}, {7, 4, 5, false, true},
        {7, 3, 6, false, true},  {7, 3, 5, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job before = new_judged_job(1);
        job = new_judged_job(1);
        const char *function = cases[i].was_in_mpi ? "MPI_Barrier" : "";
        struct thread *earlier = add_judged_thread(&before, 0, function, MPILENS_CALL_COLLECTIVE);
        struct thread *later = add_judged_thread(&job, 0, "", MPILENS_CALL_OTHER);
        earlier->entered = 7;
        earlier->completions = 3;
        earlier->operation_serial = 5;
        later->entered = cases[i].entered;
        later->completions = cases[i].completions;
        later->operation_serial = cases[i].serial;
        progress_between(&before, &job, 2, 0.5);
        cr_expect_eq(later->called_meanwhile, cases[i].called, "case %zu", i);
        cr_expect_not(later->stalled);
        job_clear(&before);
        job_clear(&job);
    }
}

/* Ranks that the same ones wait for are told together, also where they do different things. */
Test(live_waits, several_are_outside)
{
    job = new_judged_job(6);
    for (int rank = 0; rank < 6; rank++) {
        struct communicator *world = world_of(&job, rank);
        if (rank % 2 == 1) {
            add_judged_thread(&job, rank, "", MPILENS_CALL_OTHER)->age_s = longer_than_patience;
            job.processes[rank].stack = job.processes[rank].place = rank == 3 ? "write (log.c:3)" : "work (solve.c:7)";
            continue;
        }
        struct thread *thread = add_judged_thread(&job, rank, "MPI_Barrier", MPILENS_CALL_COLLECTIVE);
        thread->communicator_id = world->id;
        thread->age_s = longer_than_patience;
        build_collective(world, "MPI_Barrier")->age_s = longer_than_patience;
    }
    judge();
    expect_one_finding(&analysis, FINDING_WAITING_FOR_RANK, 3, (int[]){1, 3, 5});
    const char *message = analysis.findings.items[0].message;
    cr_expect_not_null(strstr(message,
                              "ranks [0,2,4] have waited 100 s for ranks [1,3,5], the first of which is not in "
                              "MPI"),
                       "%s", message);
    cr_expect_not_null(strstr(message, "they may just be slow"), "%s", message);
    cr_expect_not_null(strstr(message, "work (solve.c:7)"), "%s", message);
    end();
}

/* Each has its own rank to wait for: told once. */
Test(live_waits, pairs)
{
    job = new_judged_job(40);
    for (int rank = 0; rank < 40; rank += 2) {
        receive_from(&job, rank, rank + 1, 4);
        thread_of(rank, 0)->age_s = longer_than_patience;
        world_of(&job, rank)->receives.items[0].age_s = longer_than_patience;
        add_judged_thread(&job, rank + 1, "", MPILENS_CALL_OTHER)->age_s = longer_than_patience;
    }
    judge();
    cr_assert_eq(analysis.findings.count, 1);
    const char *message = analysis.findings.items[0].message;
    cr_expect_not_null(strstr(message, "rank 0 has waited 100 s for rank 1"), "%s", message);
    cr_expect_not_null(strstr(message, "; 19 more groups are stuck in the same way"), "%s", message);
    cr_expect_eq(analysis.findings.items[0].culprits.count, 20);
    end();
}
