/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words of verdicts about failed calls, on hand-made jobs.
 */
#include "judged_job.h"
#include "model_builder.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(mpi_errors, .fini = end);

static struct failed_call *add_failed(int rank, const char *function, const char *error_class)
{
    struct process *process = &job.processes[rank];
    process->failed_calls =
        array_append(process->failed_calls, &process->failed_call_count, sizeof *process->failed_calls);
    struct failed_call *call = &process->failed_calls[process->failed_call_count - 1];
    *call = (struct failed_call){.serial = process->failed_call_count,
                                 .times = 1,
                                 .age_s = 1,
                                 .function = function,
                                 .started_by = "",
                                 .communicator_id = 1,
                                 .elements = 1,
                                 .bytes = 4,
                                 .actual_bytes = -1,
                                 .datatype = "MPI_INT",
                                 .peer_local = -1,
                                 .peer_world = -1,
                                 .root = -1,
                                 .error_class = error_class,
                                 .text = "",
                                 .is_under_way = true};
    return call;
}

static struct failed_call *add_failed_message(int rank, const char *function, uint32_t operation, int peer,
                                              const char *error_class)
{
    struct failed_call *call = add_failed(rank, function, error_class);
    call->call_class = MPILENS_CALL_POINT_TO_POINT;
    call->operation = operation;
    call->has_peer = call->has_tag = true;
    call->peer_local = call->peer_world = peer;
    call->tag = 7;
    return call;
}

static void add_abort(int rank, int code)
{
    struct failed_call *call = add_failed(rank, "MPI_Abort", "");
    call->purpose = MPILENS_PURPOSE_ABORT;
    call->error = code;
}

static const struct finding *judge(void)
{
    analysis = judge_job(&job);
    cr_assert_geq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_MPI_ERROR);
    return &analysis.findings.items[0];
}

static void expect_message(const char *text)
{
    const struct finding *finding = judge();
    cr_expect_not_null(strstr(finding->message, text), "%s", finding->message);
}

Test(mpi_errors, names_the_sender_of_a_message_that_is_too_long)
{
    job = new_judged_job(2);
    build_details(build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED))->bytes = 12;
    add_failed_message(1, "MPI_Recv", MPILENS_OPERATION_RECEIVE, 0, "MPI_ERR_TRUNCATE");
    expect_message(
        "rank 1's MPI_Recv(1 x MPI_INT (4 bytes) <- 0, tag 7, MPI_COMM_WORLD) failed with MPI_ERR_TRUNCATE: it has "
        "room for 4 bytes and got a message of 12, 8 too many, sent by rank 0's MPI_Isend");
}

Test(mpi_errors, does_not_take_a_message_that_fits_for_it)
{
    job = new_judged_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    add_failed_message(1, "MPI_Recv", MPILENS_OPERATION_RECEIVE, 0, "MPI_ERR_TRUNCATE");
    const struct finding *finding = judge();
    cr_expect_null(strstr(finding->message, "sent by"), "%s", finding->message);
}

static const struct site length_site = {.module = "a", .file = "pairs.c", .line = 8};
static const struct site data_site = {.module = "a", .file = "pairs.c", .line = 9};

static void send_from(const struct site *site, int64_t bytes)
{
    struct operation *send = build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_details(send)->site = site;
    build_details(send)->bytes = bytes;
}

static void send_pairs(int count)
{
    for (int i = 0; i < count; i++) {
        send_from(&length_site, 4);
        send_from(&data_site, 12);
    }
}

/* The receive has room for that much. */
static void judge_room(int64_t bytes)
{
    add_failed_message(1, "MPI_Recv", MPILENS_OPERATION_RECEIVE, 0, "MPI_ERR_TRUNCATE")->bytes = bytes;
    judge();
}

static void judge_length(void)
{
    judge_room(4);
}

Test(mpi_errors, blames_the_sender_that_has_left_out_the_length)
{
    job = new_judged_job(3);
    send_pairs(3);
    send_from(&data_site, 12);
    send_pairs(1);
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){0});
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_not_null(strstr(finding->message, "; rank 0 has left out the message of 4 bytes that it sent with "
                                                "MPI_Isend at pairs.c:8 before each of the 4 others of that place"),
                       "%s", finding->message);
    cr_expect_str_eq(finding->remedy, "have rank 0 send rank 1 the 1 message that it left out: the others were sent "
                                      "with MPI_Isend at pairs.c:8");
}

/* The one without a length keeps its tag. */
Test(mpi_errors, numbered_messages_are_of_one_kind)
{
    enum { without_length = 6 };
    job = new_judged_job(3);
    send_pairs(without_length / 2);
    send_from(&data_site, 12);
    send_pairs(1);
    struct operations *sends = &world_of(&job, 0)->completed;
    for (int i = 0; i < (int)sends->count; i++)
        sends->items[i].tag += i - without_length;
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){0});
}

Test(mpi_errors, blames_no_sender_that_has_sent_all_lengths)
{
    job = new_judged_job(3);
    send_pairs(5);
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){1});
}

/* Rightly without a length: they are parts of one message. */
static void send_two_parts(void)
{
    job = new_judged_job(3);
    send_from(&data_site, 12);
    send_from(&data_site, 12);
    send_pairs(4);
}

Test(mpi_errors, receive_has_no_room_for_the_data)
{
    send_two_parts();
    judge_room(8);
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){1});
}

/* For a receive that was left out, where one line of the program sends all. */
Test(mpi_errors, message_without_a_length_is_of_another_kind)
{
    job = new_judged_job(3);
    send_pairs(4);
    send_from(&data_site, 12);
    world_of(&job, 0)->completed.items[8].tag = 8;
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){1});
}

Test(mpi_errors, later_messages_were_received)
{
    send_two_parts();
    build_forgotten(world_of(&job, 1), 0, 0, 0, 6);
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){1});
}

/* With the message that the failed receive has got. */
Test(mpi_errors, messages_before_the_one_without_a_length_were_received)
{
    job = new_judged_job(3);
    send_pairs(3);
    send_from(&data_site, 12);
    send_pairs(1);
    build_forgotten(world_of(&job, 1), 0, 0, 0, 7);
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){0});
}

Test(mpi_errors, two_lengths_before_show_no_habit)
{
    job = new_judged_job(3);
    send_pairs(2);
    send_from(&data_site, 12);
    judge_length();
    expect_one_finding(&analysis, FINDING_MPI_ERROR, 1, (int[]){1});
}

Test(mpi_errors, says_which_ranks_there_are)
{
    job = new_judged_job(2);
    add_failed_message(0, "MPI_Send", MPILENS_OPERATION_SEND, 2, "MPI_ERR_RANK");
    expect_message(
        "rank 0's MPI_Send(1 x MPI_INT (4 bytes) -> 2, tag 7, MPI_COMM_WORLD) failed with MPI_ERR_RANK: MPI_COMM_WORLD "
        "has ranks 0 to 1 only");
}

Test(mpi_errors, gives_what_mpi_says_in_one_line)
{
    job = new_judged_job(2);
    add_failed_message(0, "MPI_Send", MPILENS_OPERATION_SEND, 1, "MPI_ERR_COUNT")->text =
        "Invalid count, error stack:\ninternal_Send(120): MPI_Send(buf=0x1) failed\ninternal_Send(61).: Negative "
        "count, "
        "value is -7\n";
    expect_message("MPI_ERR_COUNT: Negative count, value is -7");
}

Test(mpi_errors, of_a_collective_names_the_member_that_makes_another)
{
    job = new_judged_job(2);
    struct failed_call *call = add_failed(1, "MPI_Bcast", "MPI_ERR_TRUNCATE");
    call->call_class = MPILENS_CALL_COLLECTIVE;
    call->collective = 3;
    struct communicator *world = world_of(&job, 0);
    world->recent_collectives = allocate(sizeof *world->recent_collectives);
    world->collective_call_count = 1;
    world->recent_collectives[0] =
        (struct collective_call){.serial = 3, .function = "MPI_Reduce", .datatype = "", .bytes = -1, .count = -1};
    expect_message("rank 0's call 3 there is MPI_Reduce");
}

Test(mpi_errors, of_a_handler_that_aborts_is_that_of_the_call)
{
    job = new_judged_job(2);
    add_failed_message(1, "MPI_Send", MPILENS_OPERATION_SEND, 5, "MPI_ERR_RANK")->is_under_way = false;
    add_abort(1, 3);
    expect_message("rank 1's MPI_Send(");
}

Test(mpi_errors, abort_is_told_with_its_code)
{
    job = new_judged_job(2);
    add_abort(1, 3);
    expect_message("rank 1 ends the job: MPI_Abort with code 3");
}

Test(mpi_errors, stand_before_crashes_in_their_abort)
{
    job = new_judged_job(2);
    add_failed_message(1, "MPI_Send", MPILENS_OPERATION_SEND, 5, "MPI_ERR_RANK");
    job.processes[0].crash_signal = job.processes[1].crash_signal = SIGSEGV;
    analysis = judge_job(&job);
    struct arena *outer = arena_use(&analysis.texts);
    findings_add_crashes(&job, &analysis.findings);
    arena_use(outer);
    cr_assert_eq(analysis.findings.count, 3);
    cr_expect_str_eq(analysis.findings.items[0].message, "rank 0 died of SIGSEGV (Segmentation fault)");
    cr_expect_eq(analysis.findings.items[1].kind, FINDING_MPI_ERROR);
    cr_expect_str_eq(analysis.findings.items[2].message, "rank 1 died of SIGSEGV (Segmentation fault)");
}

Test(mpi_errors, that_were_returned_are_a_remark)
{
    job = new_judged_job(2);
    struct failed_call *call = add_failed_message(1, "MPI_Send", MPILENS_OPERATION_SEND, 5, "MPI_ERR_RANK");
    call->is_under_way = false;
    call->returned = true;
    call->times = 4;
    analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark,
                              "rank 1 has got MPI_ERR_RANK from MPI_Send(1 x MPI_INT (4 bytes) -> 5, tag 7, "
                              "MPI_COMM_WORLD), 4 times"),
                       "%s", analysis.remark);
}

Test(mpi_errors, that_were_returned_come_before_what_waits_for_the_call)
{
    job = new_judged_job(2);
    receive_from(&job, 1, 0, 7);
    job.processes[0].state = PROCESS_FINALIZED;
    struct failed_call *call = add_failed_message(0, "MPI_Send", MPILENS_OPERATION_SEND, 5, "MPI_ERR_RANK");
    call->is_under_way = false;
    call->returned = true;
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_not_null(
        strstr(analysis.findings.items[0].message, "before that, rank 0's MPI_Send had failed with MPI_ERR_RANK"), "%s",
        analysis.findings.items[0].message);
    expect_evidence(&analysis, 0,
                    "has got MPI_ERR_RANK from MPI_Send(1 x MPI_INT (4 bytes) -> 5, tag 7, MPI_COMM_WORLD)");
}

/* Rank 0 has got the error code of its last call, and an exception has ended its program; rank 1 waits for it. */
static struct failed_call *throw_error(void)
{
    job = new_judged_job(2);
    receive_from(&job, 1, 0, 7);
    job.processes[0].state = PROCESS_FINALIZING;
    job.processes[0].ends = PROGRAM_FAILED;
    job.processes[0].end = "after an uncaught exception";
    struct failed_call *call = add_failed_message(0, "MPI_Recv", MPILENS_OPERATION_RECEIVE, 1, "MPI_ERR_TRUNCATE");
    call->is_under_way = false;
    call->returned = true;
    return call;
}

Test(mpi_errors, of_the_last_call_is_what_has_ended_the_program)
{
    throw_error();
    expect_message("rank 0's MPI_Recv(1 x MPI_INT (4 bytes) <- 1, tag 7, MPI_COMM_WORLD) failed with MPI_ERR_TRUNCATE; "
                   "the exception has ended its Python program");
}

static void expect_another_finding(void)
{
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_neq(analysis.findings.items[0].kind, FINDING_MPI_ERROR);
}

Test(mpi_errors, before_another_call_have_not_ended_the_program)
{
    const double since = throw_error()->age_s - 0.5;
    build_send(world_of(&job, 0), 1, 1, 9, BUILD_RETIRED)->age_s = since;
    expect_another_finding();
}

Test(mpi_errors, of_long_ago_have_not_ended_the_program)
{
    throw_error()->age_s = 60;
    add_judged_thread(&job, 0, "MPI_Finalize", MPILENS_CALL_OTHER)->purpose = MPILENS_PURPOSE_FINALIZE;
    expect_another_finding();
}

static void throw_exception(const char *end)
{
    throw_error();
    job.processes[0].end = end;
}

Test(mpi_errors, of_an_exception_of_mpi4py_have_ended_the_program)
{
    throw_exception("after the uncaught exception mpi4py.MPI.Exception: 15, raised in solve (heat.py:7)");
    expect_message("; the exception has ended its Python program");
}

Test(mpi_errors, before_an_exception_of_the_program_have_not_ended_it)
{
    static const char *const ends[] = {"after the uncaught exception ValueError: no cell",
                                       "after the uncaught exception Exception: no cell",
                                       "after the uncaught exception ExceptionGroup: no cells, ...",
                                       "after the uncaught exception mpi4py.MPI.ExceptionOfHeat"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        if (i > 0)
            end();
        throw_exception(ends[i]);
        expect_another_finding();
    }
}

/* --- ranks that have died --- */

/* Rank 0 has got the error code of a call, and has called exit(1); of both, ages are not known. */
static struct failed_call *exit_after_error(const struct site *last)
{
    struct failed_call *call = throw_error();
    static const struct site failed = {.module = "a", .file = "heat.c", .line = 7};
    struct process *process = &job.processes[0];
    struct operation *receive = build_receive(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    struct operation_details *details = build_details(receive);
    process->ends = PROGRAM_RUNS;
    process->state = PROCESS_RUNNING;
    process->end = "";
    process->has_ended = job.processes[1].has_ended = true;
    process->exit_status = 1 + 1;
    details->function = "MPI_Recv";
    details->site = last != NULL ? last : &failed;
    receive->age_s = call->age_s = -1;
    receive->posted = 5;
    call->last_time = last != NULL ? 4 : 6;
    call->site = &failed;
    return call;
}

static const struct finding *judge_died(void)
{
    analysis = judge_job(&job);
    cr_assert_geq(analysis.findings.count, 1);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_RANK_DIED);
    return &analysis.findings.items[0];
}

Test(mpi_errors, of_the_last_call_are_told_of_a_rank_that_has_left)
{
    exit_after_error(NULL);
    const struct finding *finding = judge_died();
    cr_expect_str_eq(finding->message, "rank 0 has called exit(1) before MPI_Finalize, after MPI_Recv at heat.c:7, "
                                       "which had failed with MPI_ERR_TRUNCATE");
    cr_expect_str_eq(finding->remedy, "make the receive at least as large as the message");
}

/* At the place of the failed call. */
Test(mpi_errors, before_another_call_are_not_told_of_a_rank_that_has_left)
{
    static const struct site same = {.module = "a", .file = "heat.c", .line = 7};
    exit_after_error(&same);
    const struct finding *finding = judge_died();
    cr_expect_str_eq(finding->message, "rank 0 has called exit(1) before MPI_Finalize, after MPI_Recv at heat.c:7");
    cr_expect_str_eq(finding->remedy, "end every rank with MPI_Finalize, or the whole job with MPI_Abort");
    expect_evidence(&analysis, 0,
                    "has got MPI_ERR_TRUNCATE from MPI_Recv(1 x MPI_INT (4 bytes) <- 1, tag 7, "
                    "MPI_COMM_WORLD)");
}
