/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on calls that wait for somebody outside of their communicator, and what ranks that were not read leave open.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "collect/collect.h"
#include "job_facts.h"
#include "model_builder.h"
#include "opened_dll.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void begin(int size)
{
    int *ranks = allocate((size_t)size * sizeof *ranks);
    job = build_job(size);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    for (int i = 0; i < size; i++)
        world_of(&job, i)->group = group_pool_add_ranks(&job.groups, ranks, (size_t)size);
    free(ranks);
}

static void end(void)
{
    analysis_clear(&analysis);
    job_clear(&job);
}

TestSuite(connections, .fini = end);

static struct thread *add_call(int rank, const char *function, uint64_t communicator_id)
{
    struct process *process = &job.processes[rank];
    process->threads = array_append(process->threads, &process->thread_count, sizeof *process->threads);
    struct thread *thread = &process->threads[process->thread_count - 1];
    *thread = (struct thread){.tid = (uint32_t)(1000 + rank),
                              .function = function,
                              .call_class = MPILENS_CALL_COMMUNICATOR,
                              .communicator_id = communicator_id,
                              .age_s = 5,
                              .peer_local = -1,
                              .peer_world = -1,
                              .stalled = true,
                              .spawned = ""};
    return thread;
}

static void receive_from(int rank, int source)
{
    struct operation *receive = build_receive(world_of(&job, rank), source, source, 4, BUILD_PENDING);
    struct thread *thread = add_call(rank, "MPI_Recv", 0);
    thread->call_class = MPILENS_CALL_POINT_TO_POINT;
    thread->waiting_count = thread->waiting_known = 1;
    thread->waiting = allocate(sizeof *thread->waiting);
    thread->waiting[0] = receive->serial;
}

static void complete(void)
{
    job_add_facts(&job);
    complete_job(opened_dll(), &job, COLLECT_SAMPLE);
    job.samples = 2;
    job.interval_s = 0.5;
}

static void judge(double patience_s)
{
    struct analysis_options options = analysis_default_options();
    options.patience_s = patience_s;
    complete();
    analyze_with_other_worlds(&job, &options, &analysis);
}

static void expect_culprits(enum finding_kind kind, int first, int second)
{
    cr_assert_eq(analysis.findings.count, 1, "%zu findings", analysis.findings.count);
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_eq(finding->kind, kind, "%s: %s", finding_kind_name(finding->kind), finding->message);
    cr_assert_eq(finding->culprits.count, 2, "%s", finding->message);
    cr_expect(finding->culprits.items[0] == first && finding->culprits.items[1] == second, "%s", finding->message);
    cr_expect(finding->confirmed);
}

static const char *message(void)
{
    return analysis.findings.items[0].message;
}

Test(connections, spawned_program_that_can_never_join)
{
    begin(3);
    for (int rank = 0; rank < 2; rank++) {
        world_of(&job, rank)->constructor_calls = 1;
        add_call(rank, "MPI_Comm_spawn", 1)->spawned = "process 4711 (sleep)";
    }
    receive_from(2, 0);
    judge(60);
    expect_culprits(FINDING_NO_MATCH, 0, 1);
    cr_expect_not_null(strstr(message(), "ranks [0,1] wait in MPI_Comm_spawn"), "%s", message());
    cr_expect_not_null(strstr(message(), "process 4711 (sleep)"), "%s", message());
}

/* `strangers`: ranks of the other world. */
static struct communicator *build_bridge(int rank, int strangers)
{
    return build_communicator(&job.processes[rank], 7, rank, job.size, strangers);
}

static void receive_from_stranger(int rank, int strangers)
{
    struct operation *receive = build_receive(build_bridge(rank, strangers), 0, -1, 4, BUILD_PENDING);
    struct thread *thread = add_call(rank, "MPI_Recv", 0);
    thread->call_class = MPILENS_CALL_POINT_TO_POINT;
    thread->waiting_count = thread->waiting_known = 1;
    thread->waiting = allocate(sizeof *thread->waiting);
    thread->waiting[0] = receive->serial;
}

/* The job becomes the other world of a new one of one rank. */
static void begin_beside(void)
{
    complete();
    struct job *other = allocate(sizeof *other);
    *other = job;
    begin(1);
    job.other_worlds = other;
    job.other_world_count = 1;
    job.other_world_pid = 4711;
}

static void receive_beside(void)
{
    begin_beside();
    receive_from_stranger(0, job.other_worlds[0].size);
}

static void expect_wait_for_world(enum finding_kind kind, const char *text)
{
    cr_assert_eq(analysis.findings.count, 1, "%s", analysis.remark);
    cr_expect_eq(analysis.findings.items[0].kind, kind);
    cr_expect_not_null(strstr(analysis.findings.items[0].message, text), "%s", analysis.findings.items[0].message);
    cr_expect(analysis.findings.items[0].confirmed);
}

Test(connections, ranks_of_another_world)
{
    begin(2);
    receive_from_stranger(1, 1);
    receive_from(0, 1);
    job.other_world_pid = 4711;
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_str_eq(analysis.remark, "rank 1 has waited 5.0 s for ranks of another MPI_COMM_WORLD, which is judged "
                                      "separately: 'mpilens why 4711'");
}

Test(connections, worlds_that_wait_for_each_other)
{
    begin(2);
    receive_from_stranger(1, 1);
    receive_from(0, 1);
    receive_beside();
    judge(1);
    expect_wait_for_world(FINDING_DEADLOCK,
                          "rank 0 has waited 5.0 s for ranks of another MPI_COMM_WORLD, where rank 0 is "
                          "in MPI_Recv");
    cr_expect_eq(analysis.findings.items[0].culprits.count, 1);
}

Test(connections, worlds_that_are_in_the_same_call_may_go_on)
{
    begin(1);
    receive_from_stranger(0, 1);
    job.processes[0].threads[0].call_class = MPILENS_CALL_WAIT;
    receive_beside();
    job.processes[0].threads[0].call_class = MPILENS_CALL_WAIT;
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, a_message_may_be_on_its_way_to_another_world)
{
    begin(1);
    receive_from_stranger(0, 1);
    build_send(&job.processes[0].communicators[1], 0, -1, 4, BUILD_PENDING);
    receive_beside();
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, a_third_world_may_act)
{
    begin(1);
    receive_from_stranger(0, 3);
    receive_beside();
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, another_world_that_has_come_to_its_end)
{
    begin(1);
    receive_from_stranger(0, 1);
    job.processes[0].state = PROCESS_FINALIZING;
    receive_beside();
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, another_world_is_told_of_whichever_has_the_fault)
{
    begin(2);
    receive_from(0, 1);
    receive_from(1, 0);
    job.processes[0].pid = 4712;
    receive_beside();
    job.other_worlds = array_append(job.other_worlds, &job.other_world_count, sizeof *job.other_worlds);
    job.other_worlds[1] = job.other_worlds[0];
    job.other_worlds[0] = (struct job){.size = -1};
    judge(1);
    expect_wait_for_world(FINDING_WAITING_FOR_RANK, "; one of the other worlds has the verdict deadlock: ");
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "mpilens why 4712"));
    cr_expect_eq(analysis.findings.items[0].culprits.count, 0);
}

Test(connections, worlds_that_wait_for_each_other_are_given_time)
{
    begin(1);
    receive_from_stranger(0, 1);
    receive_beside();
    judge(60);
    cr_expect_eq(analysis.findings.count, 0);
    cr_expect_not_null(strstr(analysis.remark, "'mpilens why 4711'; after 60.0 s both are judged together"), "%s",
                       analysis.remark);
}

Test(connections, another_world_that_came_to_its_call_just_now)
{
    begin(1);
    receive_from_stranger(0, 1);
    job.processes[0].threads[0].age_s = 0.1;
    receive_beside();
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, another_world_that_goes_on)
{
    begin(1);
    receive_from_stranger(0, 1);
    job.processes[0].threads[0].stalled = false;
    receive_beside();
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, another_world_that_is_not_in_MPI)
{
    begin(1);
    receive_beside();
    judge(1);
    expect_wait_for_world(FINDING_WAITING_FOR_RANK, "of another MPI_COMM_WORLD, where rank 0 is not in MPI");
}

Test(connections, another_world_that_is_stuck_by_itself)
{
    begin(2);
    receive_from(0, 1);
    receive_from(1, 0);
    receive_beside();
    judge(1);
    expect_wait_for_world(FINDING_WAITING_FOR_RANK, "whose own verdict is deadlock: ranks [0,1] wait for each other");
}

Test(connections, another_world_that_could_not_be_read)
{
    begin(1);
    receive_beside();
    job_clear(&job.other_worlds[0]);
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, spawned_program_that_may_join)
{
    begin(2);
    for (int rank = 0; rank < 2; rank++)
        add_call(rank, "MPI_Comm_spawn", 1);
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

static void accept_at_0(const char *function)
{
    begin(2);
    build_communicator(&job.processes[0], 20, 0, 1, 0);
    int self = 0;
    job.processes[0].communicators[1].group = group_pool_add_ranks(&job.groups, &self, 1);
    add_call(0, function, 20);
    receive_from(1, 0);
}

Test(connections, nobody_of_the_job_will_connect)
{
    accept_at_0("MPI_Comm_accept");
    judge(1);
    expect_culprits(FINDING_DEADLOCK, 0, 1);
    cr_expect_not_null(strstr(message(), "only a program outside this job could still connect"), "%s", message());
}

Test(connections, a_server_is_given_time)
{
    accept_at_0("MPI_Comm_accept");
    judge(60);
    cr_expect_eq(analysis.findings.count, 0);
}

Test(connections, a_server_that_nobody_of_its_job_could_serve)
{
    begin(1);
    add_call(0, "MPI_Comm_accept", 1);
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
}

static void make_unread(int rank)
{
    job.processes[rank].reason = copy_text("it runs elsewhere");
    job.processes[rank].state = PROCESS_UNREADABLE;
}

Test(connections, what_a_rank_does_that_was_not_read_is_named)
{
    begin(3);
    receive_from(0, 1);
    receive_from(1, 0);
    make_unread(2);
    judge(60);
    expect_culprits(FINDING_DEADLOCK, 0, 1);
    cr_expect_not_null(strstr(message(), "rank 2 could not be read (it runs elsewhere)"), "%s", message());
}

Test(connections, a_wait_for_a_rank_that_was_not_read_is_no_finding)
{
    begin(2);
    receive_from(0, 1);
    make_unread(1);
    judge(1);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark, "rank 1, which could not be read (it runs elsewhere): it may still act"),
                       "%s", analysis.remark);
}
