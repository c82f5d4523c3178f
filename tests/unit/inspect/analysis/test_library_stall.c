/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that have done their part: when they are a finding, and the rank named first.
 */
#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The kernel's facts about a spinning rank, and a stack without a function of the program inside MPI. */
static struct kernel_facts *look_at(struct job *job, int rank)
{
    struct process *process = &job->processes[rank];
    struct thread *thread = &process->threads[0];
    process->kernel = allocate(sizeof *process->kernel);
    *process->kernel = (struct kernel_facts){.tid = thread->tid,
                                             .state = 'R',
                                             .system_call = "",
                                             .kernel_function = "",
                                             .devices = "",
                                             .counts_bytes = true,
                                             .silent_s = -1,
                                             .watched_s = 0.5,
                                             .run_s = 80,
                                             .ran_meanwhile_s = 0.5};
    process->call_stacks = array_append(process->call_stacks, &process->call_stack_count, sizeof *process->call_stacks);
    struct call_stack *stack = &process->call_stacks[0];
    *stack = (struct call_stack){.tid = thread->tid, .inside = "progress < MPIR_Allreduce"};
    stack->lines = array_append(stack->lines, &stack->line_count, sizeof *stack->lines);
    stack->lines[0] = (struct stack_line){.kind = STACK_LINE_MPI, .function = "MPI_Allreduce", .frames = 1};
    stack->lines = array_append(stack->lines, &stack->line_count, sizeof *stack->lines);
    stack->lines[1] = (struct stack_line){.kind = STACK_LINE_PROGRAM, .function = "", .frames = 1};
    thread->age_s = 74;
    return process->kernel;
}

static struct job all_in_allreduce(int size)
{
    struct job job = new_judged_job(size);
    for (int rank = 0; rank < size; rank++) {
        be_in_call(&job, rank, "MPI_Allreduce", ints);
        look_at(&job, rank);
    }
    return job;
}

static void expect_message(const struct analysis *analysis, const char *part)
{
    cr_assert_eq(analysis->findings.count, 1, "%s", analysis->remark != NULL ? analysis->remark : "no remark");
    cr_expect_not_null(strstr(analysis->findings.items[0].message, part), "%s", analysis->findings.items[0].message);
}

static void expect_remark(const struct analysis *analysis, const char *part)
{
    cr_assert_eq(analysis->findings.count, 0, "%s", analysis->findings.items[0].message);
    cr_assert_not_null(analysis->remark, "%s", part);
    cr_expect_not_null(strstr(analysis->remark, part), "%s", analysis->remark);
}

/* With two members, nobody is the odd one; but the library is not to blame. */
Test(library_stall, after_a_call_with_other_roots)
{
    struct job job = new_judged_job(2);
    for (int rank = 0; rank < 2; rank++) {
        struct collective_call *call = make_call(&job, rank, "MPI_Bcast", ints, false);
        call->has_root = true;
        call->root = rank;
        be_in_call(&job, rank, "MPI_Allreduce", ints);
        look_at(&job, rank);
    }
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_COLLECTIVE_MISMATCH, 2, (int[]){0, 1});
    expect_message(&analysis, "about collective call 1 on MPI_COMM_WORLD: rank 0 calls MPI_Bcast with root 0, rank 1 "
                              "calls MPI_Bcast with root 1");
    end_judged_job(&job, &analysis);
}

Test(library_stall, all_in_the_same_call)
{
    struct job job = all_in_allreduce(4);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    expect_message(&analysis, "all 4 ranks are in the same MPI_Allreduce(");
    expect_message(&analysis, "with equal arguments, and have been for 74.0 s: the program has done its part; the MPI "
                              "library or the network has not (they have no connections of TCP");
    expect_evidence(&analysis, 2, "spinning");
    expect_evidence(&analysis, 2, "inside MPI: progress < MPIR_Allreduce");
    cr_expect(analysis.findings.items[0].confirmed);
    cr_expect_eq(analysis.findings.items[0].ranks.count, 4);
    end_judged_job(&job, &analysis);
}

/* Nothing is known about counts for each other rank. */
Test(library_stall, what_was_not_compared)
{
    struct job job = new_judged_job(4);
    for (int rank = 0; rank < 4; rank++) {
        be_in_call(&job, rank, "MPI_Alltoallv", ints);
        look_at(&job, rank);
    }
    struct analysis analysis = judge_job(&job);
    expect_message(&analysis, "and have been for 74.0 s: what they give each other was not compared; if that fits");
    cr_expect_null(strstr(analysis.findings.items[0].message, "equal"));
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, "compare what each rank gives"));
    end_judged_job(&job, &analysis);
}

/* Each rank exchanges with the other, but for what rank 0 gives rank 1. */
static void judge_pair(int64_t given, const char *message)
{
    struct job job = new_judged_job(2);
    for (int rank = 0; rank < 2; rank++) {
        struct collective_call *call = be_in_call(&job, rank, "MPI_Alltoallv", unknown);
        call->amounts = array_append(call->amounts, &call->amount_count, sizeof *call->amounts);
        call->amounts[0] = (struct collective_amount){1 - rank, rank == 0 ? given : 4, 4};
        look_at(&job, rank);
    }
    struct analysis analysis = judge_job(&job);
    expect_message(&analysis, message);
    end_judged_job(&job, &analysis);
}

Test(library_stall, what_was_compared_pair_by_pair)
{
    judge_pair(4, "with equal arguments, and have been for 74.0 s: the program has done its part");
    judge_pair(-1, "what they give each other was not compared");
}

Test(library_stall, patience_is_not_over)
{
    struct job job = all_in_allreduce(4);
    job.processes[1].threads[0].age_s = 48; /* the last to come */
    struct analysis analysis = judge_job(&job);
    expect_remark(&analysis, "all 4 ranks are in the same MPI_Allreduce(");
    expect_remark(&analysis,
                  "have been for 48.0 s: the program has done its part; if nothing moves, that is a finding after "
                  "60.0 s, in 12.0 s");
    end_judged_job(&job, &analysis);
}

Test(library_stall, who_gets_little_of_a_processor_is_given_time)
{
    struct job job = all_in_allreduce(4);
    job.processes[3].kernel->ran_meanwhile_s = 0.125;
    job.processes[3].kernel->waited_meanwhile_s = 0.375;
    struct analysis analysis = judge_job(&job);
    expect_remark(&analysis, "that is a finding after 240 s, in 166 s: --patience is longer for ranks that get 25 % of "
                             "the processor time they need");
    analysis_clear(&analysis);
    for (int rank = 0; rank < 4; rank++)
        job.processes[rank].threads[0].age_s = 250;
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    end_judged_job(&job, &analysis);
}

Test(library_stall, one_sleeps)
{
    const int culprits[] = {2};
    struct job job = all_in_allreduce(4);
    struct kernel_facts *facts = job.processes[2].kernel;
    facts->state = 'S';
    facts->system_call = "poll";
    facts->ran_meanwhile_s = 0;
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 1, culprits);
    expect_message(&analysis, "look at rank 2 first, which sleeps in poll, while the others spin");
    cr_expect_str_eq(analysis.findings.items[0].evidence.items[0].text, "sleeping in poll", "suspects come first");
    end_judged_job(&job, &analysis);
}

Test(library_stall, one_is_stopped_or_frozen)
{
    const int culprits[] = {1};
    struct job job = all_in_allreduce(2);
    job.processes[1].kernel->state = 'T';
    process_clear_call_stacks(&job.processes[1]); /* which may not be had then */
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 1, culprits);
    expect_message(&analysis, "the program has done its part, but rank 1 is stopped by a signal");
    expect_evidence(&analysis, 1, "stopped by a signal");
    analysis_clear(&analysis);
    job.processes[1].kernel->frozen = true;
    analysis = judge_job(&job);
    expect_message(&analysis, "the program has done its part, but rank 1 is frozen by its control group");
    end_judged_job(&job, &analysis);
}

Test(library_stall, one_sleeps_in_the_kernel_for_good)
{
    const int culprits[] = {1};
    struct job job = all_in_allreduce(3);
    struct kernel_facts *facts = job.processes[1].kernel;
    facts->state = 'D';
    facts->kernel_function = "folio_wait_bit_common";
    facts->ran_meanwhile_s = 0;
    process_clear_call_stacks(&job.processes[1]);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 1, culprits);
    expect_message(&analysis, "look at rank 1 first, which sleeps in the kernel, in folio_wait_bit_common, and cannot "
                              "be interrupted");
    end_judged_job(&job, &analysis);
}

Test(library_stall, connection_without_answer)
{
    const int culprits[] = {0};
    struct job job = all_in_allreduce(2);
    for (int rank = 0; rank < 2; rank++) {
        job.processes[rank].kernel->connections = 1;
        job.processes[rank].kernel->silent_s = 80;
    }
    struct kernel_facts *facts = job.processes[0].kernel;
    facts->troubled_sockets =
        array_append(facts->troubled_sockets, &facts->troubled_socket_count, sizeof *facts->troubled_sockets);
    facts->troubled_sockets[0] = (struct troubled_socket){.kind = SOCKET_TCP,
                                                          .state = "ESTABLISHED",
                                                          .local = "10.0.0.1:41234",
                                                          .peer = "10.0.0.3:1024",
                                                          .unsent_bytes = 4096,
                                                          .retransmissions = 7};
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 1, culprits);
    expect_message(&analysis, "nothing moves on their connections of TCP");
    expect_message(&analysis, "rank 0 first, which has 4096 bytes for 10.0.0.3:1024 that are not acknowledged");
    expect_evidence(&analysis, 0,
                    "tcp 10.0.0.1:41234 -> 10.0.0.3:1024 ESTABLISHED, 4096 bytes not acknowledged, sent again 7 times");
    end_judged_job(&job, &analysis);
}

Test(library_stall, what_moves_is_slow)
{
    struct job job = all_in_allreduce(2);
    job.processes[1].kernel->connections = 1;
    job.processes[1].kernel->received_meanwhile = 3000;
    struct analysis analysis = judge_job(&job);
    expect_remark(&analysis, "slow, not stalled: 3.0 kB/s move on their connections");
    analysis_clear(&analysis);
    job.processes[1].kernel->received_meanwhile = 0;
    job.processes[1].kernel->silent_s = 20;
    analysis = judge_job(&job);
    expect_remark(&analysis, "slow, not stalled: the last bytes on their connections came 20.0 s ago");
    analysis_clear(&analysis);
    job.processes[1].kernel->silent_s = 80;
    job.processes[0].call_stacks[0].inside = "memmove_avx_unaligned_erms < copy < MPIR_Allreduce";
    analysis = judge_job(&job);
    expect_remark(&analysis, "slow, not stalled: memory is copied, or what they share changes");
    analysis_clear(&analysis);
    job.processes[0].call_stacks[0].inside = "progress";
    for (int rank = 0; rank < 2; rank++)
        job.processes[rank].kernel->shares_memory = true;
    analysis = judge_job(&job);
    expect_message(&analysis, "the memory that they share does not change");
    analysis_clear(&analysis);
    job.processes[0].kernel->shared_memory_changed = true;
    analysis = judge_job(&job);
    expect_remark(&analysis, "slow, not stalled: memory is copied, or what they share changes");
    end_judged_job(&job, &analysis);
}

Test(library_stall, own_functions_may_take_any_time)
{
    struct job job = all_in_allreduce(3);
    struct call_stack *stack = &job.processes[1].call_stacks[0];
    stack->lines[0].kind = STACK_LINE_PROGRAM; /* below MPI_Allreduce */
    stack->lines[1].kind = STACK_LINE_MPI;
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "%s", analysis.findings.items[0].message);
    analysis_clear(&analysis);
    stack->lines[0].kind = STACK_LINE_MPI;
    stack->lines[1].kind = STACK_LINE_PROGRAM;
    world_of(&job, 2)->recent_collectives[0].has_own_op = true;
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0, "an operation of the application");
    end_judged_job(&job, &analysis);
}

Test(library_stall, one_rank_alone_computes)
{
    struct job job = all_in_allreduce(1);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

Test(library_stall, who_was_not_looked_at_is_not_judged)
{
    struct job job = all_in_allreduce(3);
    process_clear_call_stacks(&job.processes[1]);
    struct analysis analysis = judge_job(&job);
    expect_remark(&analysis, "it is not known whether anything moves");
    end_judged_job(&job, &analysis);
    job = all_in_allreduce(3);
    process_clear_kernel_facts(&job.processes[0]);
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
    job = all_in_allreduce(3);
    job.size = 4; /* one is not here */
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

/* The kernel of this host does not count for others. */
Test(library_stall, bytes_that_are_not_counted)
{
    struct job job = all_in_allreduce(2);
    struct kernel_facts *facts = job.processes[0].kernel;
    facts->counts_bytes = false;
    facts->connections = 1;
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    analysis_clear(&analysis);
    facts->troubled_sockets =
        array_append(facts->troubled_sockets, &facts->troubled_socket_count, sizeof *facts->troubled_sockets);
    facts->troubled_sockets[0] = (struct troubled_socket){
        .kind = SOCKET_TCP, .state = "ESTABLISHED", .local = "", .peer = "10.0.0.3:1024", .unsent_bytes = 4096};
    analysis = judge_job(&job);
    expect_remark(&analysis, "it is not known whether anything moves");
    end_judged_job(&job, &analysis);
}

Test(library_stall, core_files)
{
    struct job job = all_in_allreduce(3);
    for (int rank = 0; rank < 3; rank++) {
        process_clear_kernel_facts(&job.processes[rank]);
        job.processes[rank].core = copy_text("core");
    }
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    expect_message(&analysis, "the MPI library or the network has not");
    end_judged_job(&job, &analysis);
}

/* Rank 1 has left the broadcast and computes: its own buffers may still hold data for others. */
Test(library_stall, who_has_left_and_computes)
{
    struct job job = new_judged_job(2);
    be_in_call(&job, 0, "MPI_Bcast", ints);
    look_at(&job, 0);
    make_call(&job, 1, "MPI_Bcast", ints, false);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    struct analysis analysis = judge_job(&job);
    for (size_t i = 0; i < analysis.findings.count; i++)
        cr_expect_neq(analysis.findings.items[i].kind, FINDING_LIBRARY_STALL);
    end_judged_job(&job, &analysis);
}

static void be_in_finalize(struct job *job, int rank)
{
    struct thread *thread = add_judged_thread(job, rank, "MPI_Finalize", MPILENS_CALL_ENVIRONMENT);
    thread->purpose = MPILENS_PURPOSE_FINALIZE;
    job->processes[rank].state = PROCESS_FINALIZING;
    look_at(job, rank);
}

/* Its message may be lost on the way. */
Test(library_stall, who_has_left_and_finalizes)
{
    struct job job = new_judged_job(2);
    be_in_call(&job, 0, "MPI_Bcast", ints);
    look_at(&job, 0);
    make_call(&job, 1, "MPI_Bcast", ints, false);
    be_in_finalize(&job, 1);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    expect_message(&analysis, "rank 0 is in MPI_Bcast(");
    expect_message(&analysis, ", to which all have come with equal arguments, and has been for 74.0 s");
    end_judged_job(&job, &analysis);
}

Test(library_stall, all_finalize)
{
    struct job job = new_judged_job(3);
    for (int rank = 0; rank < 3; rank++)
        be_in_finalize(&job, rank);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    expect_message(&analysis, "all 3 ranks are in the same MPI_Finalize() and have been for 74.0 s: the program has");
    end_judged_job(&job, &analysis);
}

/* A send and the receive that it fits to, and a rank that waits for one of them in a barrier. */
static struct job message_that_fits(double send_age_s)
{
    struct job job = new_judged_job(2);
    struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_PENDING);
    build_details(send)->function = "MPI_Send";
    send->flags |= MPILENS_OPERATION_BLOCKING;
    wait_for(&job, 0, "MPI_Send", MPILENS_CALL_POINT_TO_POINT, send->serial, 0);
    receive_from(&job, 1, 0, 7);
    look_at(&job, 0);
    look_at(&job, 1);
    job.processes[0].threads[0].age_s = send_age_s;
    return job;
}

Test(library_stall, send_and_receive)
{
    struct job job = message_that_fits(70);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
    expect_message(&analysis, "all 2 ranks are in calls that fit together: rank 0 is in MPI_Send(");
    expect_message(&analysis, "and have been for 70.0 s: the program has done its part");
    end_judged_job(&job, &analysis);
    job = message_that_fits(30);
    analysis = judge_job(&job);
    expect_remark(&analysis, "in 30.0 s");
    end_judged_job(&job, &analysis);
    job = message_that_fits(70);
    job.processes[0].threads[0].stalled = false; /* it goes on */
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

static struct window *add_window(struct job *job, int rank)
{
    struct process *process = &job->processes[rank];
    process->objects = array_append(process->objects, &process->object_count, sizeof *process->objects);
    struct object *object = &process->objects[process->object_count - 1];
    *object = (struct object){.kind = MPILENS_OBJECT_WINDOW,
                              .serial = 1,
                              .name = "",
                              .function = "MPI_Win_create",
                              .age_s = 90,
                              .communicator_id = world_of(job, rank)->id};
    object->window = allocate(sizeof *object->window);
    *object->window = (struct window){.id = 77, .synchronization = ""};
    return object->window;
}

static void be_in_epoch(struct job *job, int rank, const char *function)
{
    struct thread *thread = add_judged_thread(job, rank, function, MPILENS_CALL_SYNCHRONIZATION);
    thread->object_kind = MPILENS_OBJECT_WINDOW;
    thread->object_serial = 1;
    look_at(job, rank);
}

/* Rank 0 accesses the memory of the others; each of those waits for the end of that if `targets` says that it exposes
 * it. */
static struct job epoch(const char *function, const bool targets[3])
{
    struct job job = new_judged_job(3);
    struct window *window = add_window(&job, 0);
    window->access_group = group_pool_add_ranks(&job.groups, (int[]){1, 2}, 2);
    window->access_epoch = MPILENS_EPOCH_GROUP;
    be_in_epoch(&job, 0, function);
    for (int rank = 1; rank < 3; rank++) {
        window = add_window(&job, rank);
        if (targets[rank]) {
            window->exposure_epoch = MPILENS_EPOCH_GROUP;
            window->exposure_group = group_pool_add_ranks(&job.groups, (int[]){0}, 1);
            be_in_epoch(&job, rank, "MPI_Win_wait");
        } else {
            add_judged_thread(&job, rank, "", MPILENS_CALL_OTHER);
        }
    }
    return job;
}

Test(library_stall, epoch_that_all_have_entered)
{
    static const char *const functions[] = {"MPI_Win_start", "MPI_Win_complete"};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        struct job job = epoch(functions[i], (const bool[]){true, true, true});
        struct analysis analysis = judge_job(&job);
        expect_one_finding(&analysis, FINDING_LIBRARY_STALL, 0, NULL);
        expect_message(&analysis, functions[i]);
        expect_message(&analysis,
                       ", and the other end is there, and has been for 74.0 s: the program has done its part");
        cr_expect_eq(analysis.findings.items[0].ranks.count, 3);
        end_judged_job(&job, &analysis);
    }
    struct job job = epoch("MPI_Win_complete", (const bool[]){true, true, false});
    struct analysis analysis = judge_job(&job);
    for (size_t i = 0; i < analysis.findings.count; i++)
        cr_expect_neq(analysis.findings.items[i].kind, FINDING_LIBRARY_STALL);
    end_judged_job(&job, &analysis);
}
