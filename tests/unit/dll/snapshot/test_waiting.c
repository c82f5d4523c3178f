/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which operations a thread's call waits for.
 */
#include "threads.h"

#include <criterion/criterion.h>

TestSuite(waiting, .init = create_job, .fini = close_job);

Test(waiting, in_a_call_with_two_operations_wait_for_those_that_are_not_complete)
{
    const uint32_t flags = MPILENS_OPERATION_BLOCKING;
    struct mpilens_thread thread = in_call(opened.job.function.sendrecv);
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, thread.function, MPILENS_OPERATION_SEND | flags, 2, 1);
    thread.operation = add_operation(&operation);
    operation = fake_job_operation(&opened.job, thread.function, MPILENS_OPERATION_RECEIVE | flags, 3, 1);
    thread.operation_2 = add_operation(&operation);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(got.site == 0x401001 && got.waiting_count == 2);
    CHECK_WAITING(1, 2);
}

Test(waiting, in_a_wait_for_one_request_wait_for_it_and_its_partner)
{
    struct mpilens_operation second = receive_from(3, 1);
    uint64_t partner = add_operation(&second);
    struct mpilens_operation first = send_to(2, 1);
    first.second = partner;
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.operation = add_operation(&first);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(got.site == 0x404000 && got.entered == 6000);
    CHECK_WAITING(2, 1);
}

Test(waiting, in_a_wait_for_a_persistent_request_wait_for_what_it_started)
{
    struct mpilens_operation started = fake_job_operation(
        &opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND | MPILENS_OPERATION_FROM_PERSISTENT, 2, 1);
    struct mpilens_operation persistent =
        fake_job_operation(&opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND, 2, 1);
    persistent.started = add_operation(&started);
    persistent.state = MPILENS_OPERATION_PERSISTENT;
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.operation = add_operation(&persistent);
    add_thread(&thread);
    open_first_thread();
    CHECK_WAITING(1);
}

Test(waiting, in_a_wait_for_many_requests_wait_for_those_not_complete_in_the_order_given)
{
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    add_request(MPILENS_OPERATION_SEND, 0x12, MPILENS_OPERATION_COMPLETE);
    add_request(MPILENS_OPERATION_SEND, 0x13, MPILENS_OPERATION_PENDING);
    add_request(MPILENS_OPERATION_SEND, 0x14, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, (const uint32_t[]){0x13, 0x2c000000, 0x12, 0x99, 0x11}, 5);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_eq(got.waiting_count, 2);
    CHECK_WAITING(3, 1);
    size_t count = 0;
    uint64_t one = 0;
    cr_assert_eq(mpilens_get_waiting(opened.process, &one, 1, &count), mqs_ok);
    cr_assert(count == 1 && one == 3);
}

Test(waiting, with_several_requests_of_one_handle_take_the_oldest_first)
{
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_COMPLETE);
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    for (uint32_t i = 0; i < 2; i++) { /* both threads may mean the same ones */
        struct mpilens_thread thread = in_call(opened.job.function.waitall);
        thread.index = i;
        give_requests(&thread, (const uint32_t[]){0x11, 0x11}, 2);
        add_thread(&thread);
    }
    open_first_thread();
    CHECK_WAITING(2);
    next_thread();
    CHECK_WAITING(2);
}

Test(waiting, do_not_take_the_handle_of_a_partner_or_of_a_blocking_or_freed_one)
{
    struct mpilens_operation second = receive_from(3, 1);
    second.request = 0x11; /* of the record's former life */
    uint64_t partner = add_operation(&second);
    struct mpilens_operation first = send_to(2, 1);
    first.request = 0x22;
    first.second = partner;
    add_operation(&first);
    add_request(MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING, 0x11, MPILENS_OPERATION_PENDING);
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_RELEASED);
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, (const uint32_t[]){0x11, 0x22}, 2);
    add_thread(&thread);
    open_first_thread();
    CHECK_WAITING(5, 2, 1);
}

Test(waiting, do_not_wait_for_the_null_process)
{
    struct mpilens_operation operation = send_to(FAKE_PROC_NULL, 1);
    operation.request = 0x11;
    add_operation(&operation);
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, (const uint32_t[]){0x11}, 1);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_eq(got.waiting_count, 0, "the one handle given is the older operation's");
}

Test(waiting, whose_requests_cannot_be_read_say_so)
{
    add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.requests = 0x10;
    thread.request_count = 4;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_eq(got.waiting_count, 0);
    size_t count = 99;
    cr_assert_eq(mpilens_get_waiting(opened.process, (uint64_t[4]){0}, 4, &count), MPILENS_ERROR_UNREADABLE);
    cr_assert_eq(count, 99);
}

Test(waiting, with_more_requests_than_can_be_are_corrupt)
{
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.requests = opened.job.world;
    thread.request_count = UINT64_MAX / 2;
    add_thread(&thread);
    open_first_thread();
    size_t count = 99;
    cr_assert_eq(mpilens_get_waiting(opened.process, (uint64_t[4]){0}, 4, &count), MPILENS_ERROR_CORRUPT);
}
