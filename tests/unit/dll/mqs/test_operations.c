/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The contents of the queues, and their order.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(operations, .init = create_job, .fini = close_job);

static void check_queue(int op_class, const uint64_t *serials, size_t count)
{
    uint64_t got[32];
    cr_assert_eq(opened_job_queue(&opened, op_class, got, 32), count);
    cr_assert_arr_eq(got, serials, count * sizeof *serials);
}

#define CHECK_QUEUE(op_class, ...)                                                                                     \
    check_queue(op_class, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

static void check_empty(int op_class)
{
    check_queue(op_class, (const uint64_t[]){0}, 0);
}

static struct mpilens_operation_information find(int op_class, uint64_t serial, mqs_pending_operation *ret_operation)
{
    struct mpilens_operation_information information;
    cr_assert(opened_job_find(&opened, op_class, serial, ret_operation, &information));
    return information;
}

Test(operations, of_one_thread_are_ordered_by_serial_whatever_the_clock_says)
{
    for (uint64_t i = 0; i < 3; i++) {
        struct mpilens_operation operation = receive_from(0, 1);
        operation.posted = operation.posted_check = 30 - 10 * i;
        operation.posted_time = 7;
        add_operation(&operation);
    }
    open_world();
    CHECK_QUEUE(mqs_pending_receives, 10, 20, 30);
}

Test(operations, of_several_threads_are_ordered_by_time_then_serial)
{
    const uint64_t second_thread = UINT64_C(1) << 40;
    const uint64_t serials[] = {second_thread + 1, 5, second_thread + 2, 6};
    const uint64_t times[] = {100, 300, 200, 300};
    for (unsigned i = 0; i < 4; i++) {
        struct mpilens_operation operation = receive_from(0, 1);
        operation.posted = operation.posted_check = serials[i];
        operation.posted_time = times[i];
        operation.thread = serials[i] > second_thread;
        add_operation(&operation);
    }
    open_world();
    CHECK_QUEUE(mqs_pending_receives, second_thread + 1, second_thread + 2, 5, 6);
}

Test(operations, keep_their_order_over_many_chunks)
{
    uint64_t wanted[200];
    for (uint64_t i = 0; i < 200; i++) {
        struct mpilens_operation operation = send_to(2, 1);
        operation.posted = operation.posted_check = 1 + i * 77 % 200;
        wanted[i] = 1 + i;
        add_operation(&operation);
    }
    open_world();
    uint64_t got[200];
    cr_assert_eq(opened_job_queue(&opened, mqs_pending_sends, got, 200), 200);
    cr_assert_arr_eq(got, wanted, sizeof wanted);
}

Test(operations, to_or_from_the_null_process_are_not_listed)
{
    struct mpilens_operation operation = send_to(FAKE_PROC_NULL, 1);
    add_operation(&operation);
    operation = receive_from(FAKE_PROC_NULL, 1);
    add_operation(&operation);
    operation = receive_from(FAKE_PROC_NULL, 1);
    operation.state = MPILENS_OPERATION_RETIRED;
    add_operation(&operation);
    open_world();
    check_empty(mqs_pending_sends);
    check_empty(mqs_pending_receives);
    struct mpilens_operation_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_setup_completed_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_end_of_list);
}

Test(operations, that_are_persistent_requests_are_listed_while_started_only)
{
    struct mpilens_operation started = fake_job_operation(
        &opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND | MPILENS_OPERATION_FROM_PERSISTENT, 2, 1);
    uint64_t address = add_operation(&started);
    struct mpilens_operation persistent =
        fake_job_operation(&opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND, 2, 1);
    persistent.state = MPILENS_OPERATION_PERSISTENT;
    persistent.started = address;
    add_operation(&persistent);
    persistent.started = 0;
    persistent.posted = persistent.posted_check = 77;
    add_operation(&persistent);
    open_world();
    CHECK_QUEUE(mqs_pending_sends, 1);
    mqs_pending_operation got;
    find(mqs_pending_sends, 1, &got);
    cr_assert_str_eq(got.extra_text[0], "MPI_Send_init, persistent, nonblocking");
}

Test(operations, that_are_over_or_abandoned_are_not_pending)
{
    struct mpilens_operation operation = send_to(2, 1);
    operation.state = MPILENS_OPERATION_RETIRED;
    add_operation(&operation);
    operation = send_to(2, 1);
    operation.state = MPILENS_OPERATION_ABANDONED;
    add_operation(&operation);
    operation = send_to(2, 1);
    operation.state = 0;
    add_operation(&operation);
    open_world();
    check_empty(mqs_pending_sends);
}

Test(operations, on_a_freed_communicator_stay_apart_from_those_on_its_handle_s_next_owner)
{
    struct mpilens_communicator old = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "old");
    old.state = MPILENS_OBJECT_FREED;
    old.handle = 0x84000009;
    struct mpilens_operation operation = receive_from(2, 1);
    operation.communicator = fake_target_add(opened.job.target, MPILENS_TABLE_COMMUNICATORS, &old);
    add_operation(&operation);
    struct mpilens_communicator new = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "new");
    new.handle = old.handle;
    operation = receive_from(3, 2);
    operation.communicator = fake_target_add(opened.job.target, MPILENS_TABLE_COMMUNICATORS, &new);
    add_operation(&operation);
    struct mpilens_communicator unused = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "unused");
    unused.state = MPILENS_OBJECT_FREED;
    fake_target_add(opened.job.target, MPILENS_TABLE_COMMUNICATORS, &unused);
    open_job();
    cr_assert(opened_job_go_to(&opened, "old"));
    CHECK_QUEUE(mqs_pending_receives, 1);
    struct mpilens_communicator_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_get_communicator(opened.process, &information), mqs_ok);
    cr_assert_eq(information.freed, 1);
    cr_assert(opened_job_go_to(&opened, "new"));
    CHECK_QUEUE(mqs_pending_receives, 2);
    cr_assert_not(opened_job_go_to(&opened, "unused"), "nothing refers to it");
}

Test(operations, without_a_known_communicator_are_listed_last_under_a_name_of_their_own)
{
    struct mpilens_operation operation = receive_from(2, 1);
    operation.communicator = 0;
    add_operation(&operation);
    operation = receive_from(FAKE_ANY_SOURCE, 1);
    operation.communicator = opened.job.world + 4; /* not a record */
    add_operation(&operation);
    open_job();
    cr_assert(opened_job_go_to(&opened, "unknown communicator"));
    mqs_communicator communicator;
    cr_assert_eq(mqs_get_communicator(opened.process, &communicator), mqs_ok);
    cr_assert(communicator.size == 0 && communicator.local_rank == -1);
    CHECK_QUEUE(mqs_pending_receives, 1, 2);
    mqs_pending_operation got;
    find(mqs_pending_receives, 1, &got);
    cr_assert(got.desired_local_rank == 2 && got.desired_global_rank == -1);
    cr_assert_eq(mqs_get_comm_group(opened.process, &(int){0}), mqs_no_information);
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_end_of_list);
}

Test(operations, that_are_over_come_oldest_first_from_the_flight_recorder)
{
    for (uint64_t i = 3; i > 0; i--) {
        struct mpilens_operation operation = receive_from(FAKE_ANY_SOURCE, FAKE_ANY_TAG);
        operation.state = MPILENS_OPERATION_RETIRED;
        operation.posted = operation.posted_check = i;
        operation.actual_source = (int32_t)i;
        operation.actual_tag = 50;
        operation.actual_bytes = 4 * i;
        add_operation(&operation);
    }
    struct mpilens_operation older_than_its_communicator = receive_from(2, 2);
    older_than_its_communicator.state = MPILENS_OPERATION_RETIRED;
    older_than_its_communicator.posted_time = 9;
    add_operation(&older_than_its_communicator);
    open_world();
    struct mpilens_operation_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_setup_completed_iterator(opened.process), mqs_ok);
    for (uint64_t i = 1; i <= 3; i++) {
        cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_ok);
        cr_assert(information.serial == i && information.actual_local == (int32_t)i && information.peer_local == -1);
        cr_assert(information.actual_bytes == (int64_t)(4 * i) && information.request == 0);
    }
    cr_assert_eq(mpilens_next_completed(opened.process, &information), mqs_end_of_list);
}
