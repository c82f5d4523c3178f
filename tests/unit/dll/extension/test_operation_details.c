/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about each operation of a queue.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(operation_details, .init = create_job, .fini = close_job);

static struct mpilens_operation_information find(int op_class, uint64_t serial, mqs_pending_operation *ret_operation)
{
    struct mpilens_operation_information information;
    cr_assert(opened_job_find(&opened, op_class, serial, ret_operation, &information));
    return information;
}

Test(operation_details, with_wildcards_say_so_and_nothing_else)
{
    struct mpilens_operation operation = receive_from(FAKE_ANY_SOURCE, 4);
    add_operation(&operation);
    operation = receive_from(3, FAKE_ANY_TAG);
    add_operation(&operation);
    open_world();
    mqs_pending_operation got;
    find(mqs_pending_receives, 1, &got);
    cr_assert(got.desired_local_rank == -1 && got.desired_global_rank == -1 && !got.tag_wild && got.desired_tag == 4);
    find(mqs_pending_receives, 2, &got);
    cr_assert(got.desired_local_rank == 3 && got.desired_global_rank == 3 && got.tag_wild == 1);
}

Test(operation_details, have_an_unknown_length_where_the_datatype_is_unknown_or_the_product_too_large)
{
    struct mpilens_operation operation = receive_from(2, 1);
    operation.datatype = 0;
    add_operation(&operation);
    operation = receive_from(2, 1);
    operation.count = UINT64_MAX / 2;
    add_operation(&operation);
    operation = receive_from(2, 1);
    operation.count = UINT64_MAX;
    add_operation(&operation);
    operation = receive_from(2, 1);
    operation.count = INT64_MAX / 4;
    add_operation(&operation);
    open_world();
    mqs_pending_operation got;
    struct mpilens_operation_information information = find(mqs_pending_receives, 1, &got);
    cr_assert(got.desired_length == -1 && information.bytes == -1 && information.count == 10);
    cr_assert_str_eq(information.datatype, "");
    cr_assert_str_eq(got.extra_text[1], "10 elements of unknown size, request 0x98000001");
    find(mqs_pending_receives, 2, &got);
    cr_assert_eq(got.desired_length, -1);
    information = find(mqs_pending_receives, 3, &got);
    cr_assert(got.desired_length == -1 && information.count == -1);
    find(mqs_pending_receives, 4, &got);
    cr_assert_eq(got.desired_length, INT64_MAX / 4 * 4);
}

Test(operation_details, that_are_matched_or_complete_receives_say_what_came)
{
    struct mpilens_operation operation = receive_from(FAKE_ANY_SOURCE, FAKE_ANY_TAG);
    operation.state = MPILENS_OPERATION_COMPLETE;
    operation.actual_source = 3;
    operation.actual_tag = 8;
    operation.actual_bytes = 12;
    add_operation(&operation);
    operation = fake_job_operation(&opened.job, opened.job.function.mrecv,
                                   MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_FROM_MESSAGE, 0, 6);
    operation.state = MPILENS_OPERATION_MATCHED;
    operation.actual_source = 0;
    operation.actual_tag = 6;
    operation.actual_bytes = 20; /* of the message, less than there is room for */
    add_operation(&operation);
    open_world();
    mqs_pending_operation got;
    struct mpilens_operation_information information = find(mqs_pending_receives, 1, &got);
    cr_assert_eq(got.status, mqs_st_complete);
    cr_assert(got.desired_local_rank == -1 && got.tag_wild == 1);
    cr_assert(got.actual_local_rank == 3 && got.actual_global_rank == 3 && got.actual_tag == 8);
    cr_assert(got.actual_length == 12 && information.actual_bytes == 12 && information.actual_world == 3);
    find(mqs_pending_receives, 2, &got);
    cr_assert_eq(got.status, mqs_st_matched);
    cr_assert(got.actual_local_rank == 0 && got.actual_tag == 6 && got.actual_length == 20);
}

Test(operation_details, that_were_cancelled_say_so_and_received_nothing)
{
    struct mpilens_operation operation = receive_from(FAKE_ANY_SOURCE, 1);
    operation.state = MPILENS_OPERATION_COMPLETE;
    operation.flags |= MPILENS_OPERATION_CANCEL_CALLED | MPILENS_OPERATION_CANCELLED;
    operation.actual_source = 3;
    add_operation(&operation);
    open_world();
    mqs_pending_operation got;
    find(mqs_pending_receives, 1, &got);
    cr_assert_eq(got.actual_local_rank, -1);
    cr_assert_str_eq(got.extra_text[0], "MPI_Irecv, nonblocking, cancelled");
}

Test(operation_details, whose_message_was_too_long_tell_its_length_where_it_can_be_true)
{
    for (uint64_t i = 0; i < 3; i++) {
        struct mpilens_operation operation = receive_from(3, 8); /* 40 bytes */
        operation.state = MPILENS_OPERATION_RETIRED;
        operation.flags |= MPILENS_OPERATION_TRUNCATED;
        operation.actual_source = 3;
        operation.actual_tag = 8;
        operation.actual_bytes = i == 0 ? 41 : i == 1 ? 40 : UINT64_MAX;
        add_operation(&operation);
    }
    open_world();
    struct mpilens_operation_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_setup_completed_iterator(opened.process), mqs_ok);
    for (int i = 0; i < 3; i++) {
        cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_ok);
        cr_assert(information.flags & MPILENS_OPERATION_TRUNCATED);
        cr_assert(information.actual_world == 3 && information.actual_tag == 8);
        cr_assert_eq(information.actual_bytes, i == 0 ? 41 : -1);
    }
}

Test(operation_details, of_the_tick_in_which_their_communicator_was_made_may_be_of_a_former_one)
{
    for (uint64_t serial = 9; serial <= 11; serial++) {
        struct mpilens_operation operation = send_to(2, 1);
        operation.state = MPILENS_OPERATION_RETIRED;
        operation.posted = operation.posted_check = serial;
        operation.thread = serial == 9 ? 1 : 0;
        add_operation(&operation);
    }
    put_field(opened.job.world, MPILENS_FIELD_communicator_made_by, 1);
    put_field(opened.job.world, MPILENS_FIELD_communicator_posted_before, 10);
    open_world();
    struct mpilens_operation_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_setup_completed_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_ok);
    cr_assert_eq(information.serial, 9, "another thread's");
    cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_ok);
    cr_assert_eq(information.serial, 11);
    cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_end_of_list);
}

Test(operation_details, whose_request_was_freed_say_that_their_completion_is_unknown)
{
    struct mpilens_operation operation = send_to(2, 1);
    operation.state = MPILENS_OPERATION_RELEASED;
    add_operation(&operation);
    open_world();
    mqs_pending_operation got;
    struct mpilens_operation_information information = find(mqs_pending_sends, 1, &got);
    cr_assert_eq(got.status, mqs_st_pending);
    cr_assert_eq(information.request, 0);
    cr_assert_str_eq(got.extra_text[1], "10 x MPI_INT");
    cr_assert_str_eq(got.extra_text[3], "request freed by the application: completion unknown");
    cr_assert_str_eq(got.extra_text[4], "");
}

Test(operation_details, name_their_mode_and_end_their_lines)
{
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, opened.job.function.send,
                           MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING | MPILENS_OPERATION_BUFFERED |
                               MPILENS_OPERATION_READY | MPILENS_OPERATION_PARTITIONED,
                           2, 1);
    operation.site = 0;
    operation.request = 0x98000099; /* of the record's former life */
    add_operation(&operation);
    operation = send_to(2, 1);
    operation.function = 9999;
    add_operation(&operation);
    open_world();
    mqs_pending_operation got;
    find(mqs_pending_sends, 1, &got);
    cr_assert_str_eq(got.extra_text[0], "MPI_Send, buffered, ready, partitioned, blocking");
    cr_assert_str_eq(got.extra_text[1], "10 x MPI_INT");
    cr_assert_str_eq(got.extra_text[2], "");
    find(mqs_pending_sends, 2, &got);
    cr_assert_str_eq(got.extra_text[0], "unknown function, nonblocking");
}

Test(operation_details, that_are_still_being_started_have_no_request_yet)
{
    struct mpilens_operation operation = send_to(2, 1);
    struct mpilens_thread thread = {.state = MPILENS_THREAD_ALIVE, .function = opened.job.function.isend};
    thread.operation = add_operation(&operation);
    fake_target_add(opened.job.target, MPILENS_TABLE_THREADS, &thread);
    open_world();
    mqs_pending_operation got;
    struct mpilens_operation_information information = find(mqs_pending_sends, 1, &got);
    cr_assert_eq(information.request, 0, "the handle is that of the record's former life");
}
