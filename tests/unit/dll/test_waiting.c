/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which operations a thread's call waits for.
 */
#include "opened_job.h"

#include <criterion/criterion.h>

static struct opened_job opened;

static void create(void)
{
    opened_job_create(&opened, &(struct fake_options){.word_size = 8});
}

static void close_all(void)
{
    cr_assert_eq(opened_job_close(&opened), 0);
}

TestSuite(waiting, .init = create, .fini = close_all);

static uint64_t add_thread(const struct mpilens_thread *thread)
{
    return fake_target_add(opened.job.target, MPILENS_TABLE_THREADS, thread);
}

static uint64_t add_operation(uint32_t flags, uint32_t handle, uint32_t state)
{
    struct mpilens_operation operation = fake_job_operation(&opened.job, opened.job.function.isend, flags, 2, 1);
    operation.request = handle;
    operation.state = state;
    return fake_job_add(&opened.job, &operation);
}

static struct mpilens_thread in_call(uint32_t function)
{
    return (struct mpilens_thread){.state = MPILENS_THREAD_ALIVE,
                                   .tid = 4711,
                                   .function = function,
                                   .site = 0x404000,
                                   .entered = 6000,
                                   .operations = 12,
                                   .completions = 5};
}

static void give_requests(struct mpilens_thread *thread, const uint32_t *handles, size_t count)
{
    thread->request_count = count;
    thread->requests = fake_target_reserve(opened.job.target, count * sizeof(*handles));
    for (size_t i = 0; i < count; i++)
        fake_target_put_integer(opened.job.target, thread->requests + i * sizeof(*handles), sizeof(*handles),
                                handles[i]);
}

static struct mpilens_thread_information next(void)
{
    struct mpilens_thread_information got;
    memset(&got, 0x77, sizeof(got));
    got.struct_size = sizeof(got);
    cr_assert_eq(mpilens_next_thread(opened.process, &got), mqs_ok);
    return got;
}

static struct mpilens_thread_information open_first(void)
{
    cr_assert_eq(opened_job_open(&opened), mqs_ok);
    cr_assert_eq(mpilens_setup_thread_iterator(opened.process), mqs_ok);
    return next();
}

static void check_waiting(const uint64_t *serials, size_t count)
{
    uint64_t got[16];
    size_t got_count = 99;
    cr_assert_eq(mpilens_get_waiting(opened.process, got, 16, &got_count), mqs_ok);
    cr_assert_eq(got_count, count, "%zu", got_count);
    for (size_t i = 0; i < count; i++)
        cr_assert_eq(got[i], serials[i]);
}

#define CHECK_WAITING(...)                                                                                             \
    check_waiting((const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

Test(waiting, in_a_call_with_two_operations_wait_for_those_that_are_not_complete)
{
    const uint32_t flags = MPILENS_OPERATION_BLOCKING;
    struct mpilens_thread thread = in_call(opened.job.function.sendrecv);
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, thread.function, MPILENS_OPERATION_SEND | flags, 2, 1);
    thread.operation = fake_job_add(&opened.job, &operation);
    operation = fake_job_operation(&opened.job, thread.function, MPILENS_OPERATION_RECEIVE | flags, 3, 1);
    thread.operation_2 = fake_job_add(&opened.job, &operation);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first();
    cr_assert(got.site == 0x401001 && got.waiting_count == 2);
    CHECK_WAITING(1, 2);
}

Test(waiting, in_a_wait_for_one_request_wait_for_it_and_its_partner)
{
    struct mpilens_operation second =
        fake_job_operation(&opened.job, opened.job.function.irecv, MPILENS_OPERATION_RECEIVE, 3, 1);
    uint64_t partner = fake_job_add(&opened.job, &second);
    struct mpilens_operation first =
        fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, 2, 1);
    first.partner = partner;
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.operation = fake_job_add(&opened.job, &first);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first();
    cr_assert(got.site == 0x404000 && got.entered == 6000);
    CHECK_WAITING(2, 1);
}

Test(waiting, in_a_wait_for_a_persistent_request_wait_for_what_it_started)
{
    struct mpilens_operation started = fake_job_operation(
        &opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND | MPILENS_OPERATION_FROM_PERSISTENT, 2, 1);
    struct mpilens_operation persistent =
        fake_job_operation(&opened.job, opened.job.function.send_init, MPILENS_OPERATION_SEND, 2, 1);
    persistent.partner = fake_job_add(&opened.job, &started);
    persistent.state = MPILENS_OPERATION_PERSISTENT;
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.operation = fake_job_add(&opened.job, &persistent);
    add_thread(&thread);
    open_first();
    CHECK_WAITING(1);
}

Test(waiting, in_a_wait_for_many_requests_wait_for_those_not_complete_in_the_order_given)
{
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    add_operation(MPILENS_OPERATION_SEND, 0x12, MPILENS_OPERATION_COMPLETE);
    add_operation(MPILENS_OPERATION_SEND, 0x13, MPILENS_OPERATION_PENDING);
    add_operation(MPILENS_OPERATION_SEND, 0x14, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, (const uint32_t[]){0x13, 0x2c000000, 0x12, 0x99, 0x11}, 5);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first();
    cr_assert_eq(got.waiting_count, 2);
    CHECK_WAITING(3, 1);
    size_t count = 0;
    uint64_t one = 0;
    cr_assert_eq(mpilens_get_waiting(opened.process, &one, 1, &count), mqs_ok);
    cr_assert(count == 1 && one == 3);
}

Test(waiting, with_several_requests_of_one_handle_take_the_oldest_first)
{
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_COMPLETE);
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    for (uint32_t i = 0; i < 2; i++) { /* both threads may mean the same ones */
        struct mpilens_thread thread = in_call(opened.job.function.waitall);
        thread.index = i;
        give_requests(&thread, (const uint32_t[]){0x11, 0x11}, 2);
        add_thread(&thread);
    }
    open_first();
    CHECK_WAITING(2);
    next();
    CHECK_WAITING(2);
}

Test(waiting, do_not_take_the_handle_of_a_partner_or_of_a_blocking_or_freed_one)
{
    struct mpilens_operation second =
        fake_job_operation(&opened.job, opened.job.function.irecv, MPILENS_OPERATION_RECEIVE, 3, 1);
    second.request = 0x11; /* of the record's former life */
    uint64_t partner = fake_job_add(&opened.job, &second);
    struct mpilens_operation first =
        fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, 2, 1);
    first.request = 0x22;
    first.partner = partner;
    fake_job_add(&opened.job, &first);
    add_operation(MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING, 0x11, MPILENS_OPERATION_PENDING);
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_RELEASED);
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, (const uint32_t[]){0x11, 0x22}, 2);
    add_thread(&thread);
    open_first();
    CHECK_WAITING(5, 2, 1);
}

Test(waiting, do_not_wait_for_the_null_process)
{
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, FAKE_PROC_NULL, 1);
    operation.request = 0x11;
    fake_job_add(&opened.job, &operation);
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    give_requests(&thread, (const uint32_t[]){0x11}, 1);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first();
    cr_assert_eq(got.waiting_count, 0, "the one handle given is the older operation's");
}

Test(waiting, whose_requests_cannot_be_read_say_so)
{
    add_operation(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    struct mpilens_thread thread = in_call(opened.job.function.waitall);
    thread.requests = 0x10;
    thread.request_count = 4;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first();
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
    open_first();
    size_t count = 99;
    cr_assert_eq(mpilens_get_waiting(opened.process, (uint64_t[4]){0}, 4, &count), MPILENS_ERROR_CORRUPT);
}
