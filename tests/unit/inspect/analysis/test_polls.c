/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that make several polls in turn: they go on when any of them finds something, and stand still while the loop
 * is the same.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "job/job_internal.h"
#include "model_builder.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct site test_site = {.module = "/opt/ring", .file = "ring.c", .path = "ring.c", .line = 13};

static struct thread *thread_of(struct job *job, int rank)
{
    return &job->processes[rank].threads[0];
}

/* Makes a poll of a thread or of an element of other_polls: an Iprobe from the peer. */
static void probe_in_vain(struct thread *thread, int peer)
{
    thread->function = "MPI_Iprobe";
    thread->call_class = MPILENS_CALL_IPROBE;
    thread->polling = thread->stalled = true;
    thread->age_s = 5;
    thread->communicator_id = 1;
    thread->peer_local = thread->peer_world = peer;
    thread->tag = 6;
}

static struct thread *add_poll(struct job *job, int rank)
{
    struct thread *thread = thread_of(job, rank);
    thread->other_polls = array_append(thread->other_polls, &thread->other_poll_count, sizeof *thread->other_polls);
    struct thread *poll = &thread->other_polls[thread->other_poll_count - 1];
    *poll = (struct thread){.function = "MPI_Testall",
                            .call_class = MPILENS_CALL_TEST,
                            .polling = true,
                            .age_s = 4,
                            .peer_local = -1,
                            .peer_world = -1,
                            .site = &test_site,
                            .spawned = ""};
    return poll;
}

/* A test of receives from these ranks; -1: of none. */
static void test_in_vain(struct job *job, int rank, int one, int other)
{
    struct thread *poll = add_poll(job, rank);
    poll->waiting = allocate(2 * sizeof *poll->waiting);
    poll->waiting[0] = build_receive(world_of(job, rank), one, one, 3, BUILD_PENDING)->serial;
    poll->waiting_count = poll->waiting_known = 1;
    if (other < 0)
        return;
    poll->waiting[1] = build_receive(world_of(job, rank), other, other, 4, BUILD_PENDING)->serial;
    poll->waiting_count = poll->waiting_known = 2;
}

/* Rank 0 probes for rank 1, which receives from it. Rank 2 is not in MPI. */
static struct job probe_of_a_waiting_rank(void)
{
    struct job job = begin_wait_job(3);
    probe_in_vain(thread_of(&job, 0), 1);
    wait_in_recv(&job, 1, 0, 7);
    return job;
}

static size_t deadlocks(struct job *job, const char *says)
{
    struct analysis analysis;
    const struct analysis_options options = analysis_default_options();
    end_wait_job(job);
    analyze(job, &options, &analysis);
    const size_t count = analysis.findings.count;
    for (size_t i = 0; i < count; i++) {
        cr_expect_eq(analysis.findings.items[i].kind, FINDING_DEADLOCK);
        cr_expect(strstr(analysis.findings.items[i].message, says) != NULL, "%s", analysis.findings.items[i].message);
    }
    analysis_clear(&analysis);
    job_clear(job);
    return count;
}

Test(polls, all_hopeless_are_a_deadlock)
{
    struct job job = probe_of_a_waiting_rank();
    test_in_vain(&job, 0, 1, -1);
    cr_expect_eq(deadlocks(&job, "a loop of MPI_Iprobe(<- 1, tag 6, MPI_COMM_WORLD) and MPI_Testall("), 1);
}

Test(polls, have_their_places_in_the_sentence)
{
    struct job job = probe_of_a_waiting_rank();
    test_in_vain(&job, 0, 1, -1);
    cr_expect_eq(deadlocks(&job, ") at ring.c:13"), 1);
}

Test(polls, need_one_that_may_find_something)
{
    struct job job = probe_of_a_waiting_rank();
    test_in_vain(&job, 0, 2, -1);
    cr_expect_eq(deadlocks(&job, ""), 0);
}

Test(polls, of_all_requests_need_every_one)
{
    struct job job = probe_of_a_waiting_rank();
    test_in_vain(&job, 0, 1, 2);
    cr_expect_eq(deadlocks(&job, ""), 1);
}

Test(polls, with_unknown_arguments_leave_it_open)
{
    struct job job = probe_of_a_waiting_rank();
    add_poll(&job, 0);
    cr_expect_eq(deadlocks(&job, ""), 0);
}

Test(polls, that_are_not_known_leave_it_open)
{
    struct job job = probe_of_a_waiting_rank();
    thread_of(&job, 0)->more_polls = true;
    cr_expect_eq(deadlocks(&job, ""), 0);
}

Test(polls, alone_with_unknown_requests_leave_it_open)
{
    struct job job = probe_of_a_waiting_rank();
    struct thread *thread = thread_of(&job, 0);
    thread->function = "MPI_Testall";
    thread->call_class = MPILENS_CALL_TEST;
    build_receive(world_of(&job, 0), 1, 1, 3, BUILD_PENDING);
    cr_expect_eq(deadlocks(&job, ""), 0);
}

Test(polls, stand_still_while_there_is_no_new_one)
{
    struct job before = probe_of_a_waiting_rank();
    struct job later = probe_of_a_waiting_rank();
    test_in_vain(&later, 0, 1, -1);
    progress_between(&before, &later, 2, 0.5);
    cr_expect_not(thread_of(&later, 0)->stalled, "it has made another poll since");
    test_in_vain(&before, 0, 1, -1);
    progress_between(&before, &later, 2, 0.5);
    cr_expect(thread_of(&later, 0)->stalled);
    thread_of(&later, 0)->more_polls = true;
    progress_between(&before, &later, 2, 0.5);
    cr_expect_not(thread_of(&later, 0)->stalled);
    job_clear(&before);
    job_clear(&later);
}
