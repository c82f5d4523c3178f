/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Advice, on hand-made jobs.
 */
#include "base/base.h"
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
    struct collective_call *call = build_collective(world, function);
    call->has_root = root >= 0;
    call->root = root;
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

/* With standard sends that wait only on demand. */
static void expect_buffering(bool is_told)
{
    for (int rank = 0; rank < 2; rank++)
        job.processes[rank].synchronous_sends = true;
    expect_remedy(FINDING_DEADLOCK, "receive before it sends");
    const char *message = analysis.findings.items[0].message;
    cr_expect_eq(strstr(message, "relies on MPI buffering the message: --synchronous") != NULL, is_told, "%s", message);
}

Test(remedy, sends_that_were_made_synchronous)
{
    job = new_judged_job(2);
    send_to(0, 1, 4);
    send_to(1, 0, 4);
    expect_buffering(true);
}

Test(remedy, sends_that_are_synchronous)
{
    job = new_judged_job(2);
    send_to(0, 1, 4);
    send_to(1, 0, 4);
    for (int rank = 0; rank < 2; rank++)
        world_of(&job, rank)->sends.items[0].flags |= MPILENS_OPERATION_SYNCHRONOUS;
    expect_buffering(false);
}

Test(remedy, of_partitions_that_are_waited_for)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 5);
    world_of(&job, 1)->receives.items[0].flags |= MPILENS_OPERATION_PARTITIONED;
    expect_remedy(FINDING_DEADLOCK, "mark every partition with MPI_Pready, before");
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

Test(remedy, of_an_exception_that_has_ended_a_rank)
{
    job = new_judged_job(3);
    call_collective(0, "MPI_Barrier", -1);
    call_collective(2, "MPI_Barrier", -1);
    add_judged_thread(&job, 1, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT)->purpose = MPILENS_PURPOSE_FINALIZE;
    job.processes[1].state = PROCESS_FINALIZING;
    job.processes[1].ends = PROGRAM_FAILED;
    job.processes[1].end = "after an uncaught exception has ended its Python program";
    expect_remedy(FINDING_COLLECTIVE_MISSING, "fix the cause of rank 1's failure");
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
    expect_remedy(FINDING_COLLECTIVE_MISSING,
                  "call it on rank 2 as well, or on none: all members of MPI_COMM_WORLD must take part");
}

Test(remedy, of_a_message_that_was_never_sent)
{
    job = new_judged_job(2);
    receive_from(&job, 1, 0, 4);
    job.processes[0].state = PROCESS_FINALIZED;
    expect_remedy(FINDING_WAITING_FOR_RANK, "have rank 0 send once more before MPI_Finalize");
}

/* A probe waits for a message, as a receive does. */
Test(remedy, of_a_message_that_is_probed_for_and_was_never_sent)
{
    job = new_judged_job(2);
    struct thread *thread = add_judged_thread(&job, 1, "MPI_Mprobe", MPILENS_CALL_PROBE);
    thread->communicator_id = world_of(&job, 1)->id;
    thread->peer_local = thread->peer_world = 0;
    job.processes[0].state = PROCESS_FINALIZED;
    expect_remedy(FINDING_WAITING_FOR_RANK, "have rank 0 send once more before MPI_Finalize, or receive once less");
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

/* The first send that a matched probe has taken is waited for like one that nobody has received. */
Test(remedy, of_a_message_that_was_probed_and_not_received)
{
    job = new_judged_job(2);
    send_to(0, 1, 4);
    struct communicator *world = world_of(&job, 1);
    world->matched_messages =
        array_append(world->matched_messages, &world->message_count, sizeof *world->matched_messages);
    world->matched_messages[0] = (struct matched_message){.function = "MPI_Mprobe", .tag = 4, .bytes = 4};
    call_collective(1, "MPI_Barrier", -1);
    expect_remedy(FINDING_DEADLOCK,
                  "call MPI_Mrecv for the message that MPI_Mprobe has taken: rank 0 waits until then");
    expect_evidence(&analysis, 1,
                    "has taken the message from rank 0, tag 4, on MPI_COMM_WORLD with MPI_Mprobe, but not received it");
}

/* A probe waits for a message, as a receive does. */
Test(remedy, of_a_probe_before_a_collective_call)
{
    job = new_judged_job(3);
    call_collective(0, "MPI_Barrier", -1);
    call_collective(2, "MPI_Barrier", -1);
    struct thread *thread = add_judged_thread(&job, 1, "MPI_Probe", MPILENS_CALL_PROBE);
    thread->communicator_id = world_of(&job, 1)->id;
    thread->peer_local = thread->peer_world = 2;
    expect_remedy(FINDING_DEADLOCK, "send the message before MPI_Barrier");
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){1, 2});
}

static void finalize(int rank)
{
    job.processes[rank].state = PROCESS_FINALIZING;
    add_judged_thread(&job, rank, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT);
}

Test(remedy, of_a_send_that_is_left_at_the_end)
{
    job = new_judged_job(2);
    build_send(world_of(&job, 0), 1, 1, 4, BUILD_PENDING);
    finalize(0);
    finalize(1);
    expect_remedy(FINDING_NO_MATCH, "wait for every send before MPI_Finalize");
    expect_one_finding(&analysis, FINDING_NO_MATCH, 2, (int[]){0, 1});
    expect_evidence(&analysis, 0, "not complete: MPI_Isend(1 x MPI_INT -> 1, tag 4, MPI_COMM_WORLD)");
}

/* Whatever is known of the receiver is said of it; only a rank that sends to itself is its own. */
Test(remedy, of_a_send_that_is_left_at_the_end_of_its_receiver_or_itself)
{
    static const char *const told[] = {"; rank 1 has called MPI_Finalize", "; rank 0 has sent it to itself"};
    for (int receiver = 1; receiver >= 0; receiver--) {
        job = new_judged_job(receiver + 1);
        build_send(world_of(&job, 0), receiver, receiver, 4, BUILD_PENDING);
        finalize(0);
        if (receiver == 1)
            job.processes[1].state = PROCESS_FINALIZED;
        analysis = judge_job(&job);
        cr_assert_gt(analysis.findings.count, 0);
        const char *message = analysis.findings.items[0].message;
        cr_expect_not_null(strstr(message, told[1 - receiver]), "%s", message);
        if (receiver == 1)
            end();
    }
}

/* MPI ends such sends by itself. */
Test(remedy, of_none_where_all_that_is_left_at_the_end_was_received_or_given_up)
{
    job = new_judged_job(2);
    build_send(world_of(&job, 0), 1, 1, 4, BUILD_PENDING)->flags |= MPILENS_OPERATION_BUFFERED;
    build_send(world_of(&job, 0), 1, 1, 5, BUILD_PENDING)->flags |= MPILENS_OPERATION_CANCEL_CALLED;
    build_send(world_of(&job, 0), 1, 1, 6, BUILD_PENDING);
    build_receive(world_of(&job, 1), 0, 0, 6, BUILD_PENDING);
    finalize(0);
    finalize(1);
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
}

/* Names the persistent receive that is inactive and of the same rank and tag, not the other one. */
Test(remedy, of_a_request_that_was_not_started_again)
{
    job = new_judged_job(2);
    send_to(0, 1, 4);
    call_collective(1, "MPI_Barrier", -1);
    struct process *owner = &job.processes[1];
    for (int tag = 3; tag <= 4; tag++) {
        owner->requests = array_append(owner->requests, &owner->request_count, sizeof *owner->requests);
        struct operation *request = &owner->requests[owner->request_count - 1];
        *request = (struct operation){.flags = MPILENS_OPERATION_RECEIVE,
                                      .state = MPILENS_OPERATION_PERSISTENT,
                                      .tag = tag,
                                      .details = &(struct operation_details){.datatype = "MPI_INT"}};
        build_details(request)->function = "MPI_Recv_init";
        build_details(request)->communicator_id = world_of(&job, 1)->id;
    }
    expect_remedy(FINDING_DEADLOCK, "have rank 1 start its request from MPI_Recv_init");
    expect_evidence(&analysis, 1,
                    "has not started its receive request from rank 0, tag 4, on MPI_COMM_WORLD: MPI_Recv_init");
}

/* Another thread of a rank would send, but waits for a lock. */
Test(remedy, of_a_lock_that_is_held_in_a_call)
{
    job = new_judged_job(2);
    receive_from(&job, 0, 1, 4);
    receive_from(&job, 1, 0, 4);
    job.processes[0].stack = "pthread_mutex_lock < main (a.c:29)";
    job.processes[0].called = "pthread_mutex_lock";
    expect_remedy(FINDING_DEADLOCK, "a thread of rank 0 waits for one in pthread_mutex_lock < main (a.c:29)");
}
