/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about threads that make several polls in turn.
 */
#include "threads.h"

#include <criterion/criterion.h>

#include <string.h>

TestSuite(polls, .init = create_job, .fini = close_job);

/* A probe, then a test of `operation`. */
static struct mpilens_thread poller(uint64_t operation)
{
    struct mpilens_thread thread = in_call(0);
    thread.polls = 40;
    thread.poll_site = 0x409000;
    thread.poll_since = 5500;
    thread.poll_last = 6000;
    thread.poll_function = opened.job.function.iprobe;
    thread.poll_communicator = opened.job.split;
    thread.poll_peer = 0;
    thread.poll_tag = 77;
    thread.poll_operations = thread.operations;
    thread.poll_completions = thread.completions;
    thread.other_poll_count = 1;
    thread.other_poll_site[0] = 0x409100;
    thread.other_poll_since[0] = 5600;
    thread.other_poll_function[0] = opened.job.function.test;
    thread.other_poll_operation[0] = operation;
    return thread;
}

static int next_poll(struct mpilens_thread_information *ret_poll)
{
    memset(ret_poll, 0x77, sizeof *ret_poll);
    ret_poll->struct_size = sizeof *ret_poll;
    return mpilens_next_poll(opened.process, ret_poll);
}

/* Copies of request handles, as the runtime keeps them. */
static uint64_t put_requests(const uint32_t *handles, size_t count)
{
    struct mpilens_thread thread = in_call(0);
    give_requests(&thread, handles, count);
    return thread.requests;
}

Test(polls, are_told_one_after_the_other)
{
    struct mpilens_thread thread = poller(add_request(MPILENS_OPERATION_RECEIVE, 0x11, MPILENS_OPERATION_PENDING));
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_str_eq(got.function, "MPI_Iprobe");
    cr_assert(got.polling && got.loop_polls == 2 && got.more_polls == 0 && got.waiting_count == 0);
    cr_assert(got.site == 0x409000 && got.entered == 5500 && got.communicator_id == 102 && got.tag == 77);
    check_waiting(NULL, 0);
    cr_assert_eq(next_poll(&got), mqs_ok);
    cr_assert_str_eq(got.function, "MPI_Test");
    cr_assert_eq(got.call_class, MPILENS_CALL_TEST);
    cr_assert(got.polling && got.site == 0x409100 && got.entered == 5600 && got.last_polled == 6000);
    cr_assert(got.communicator_id == 0 && got.peer_local == -1 && got.waiting_count == 1);
    CHECK_WAITING(1);
    cr_assert_eq(next_poll(&got), mqs_end_of_list);
    cr_assert_eq(mpilens_next_thread(opened.process, &got), mqs_end_of_list);
}

Test(polls, of_arrays_say_of_which_requests_between_two_calls)
{
    add_request(MPILENS_OPERATION_RECEIVE, 0x11, MPILENS_OPERATION_PENDING);
    add_request(MPILENS_OPERATION_SEND, 0x22, MPILENS_OPERATION_PENDING);
    add_request(MPILENS_OPERATION_RECEIVE, 0x33, MPILENS_OPERATION_COMPLETE);
    struct mpilens_thread thread = poller(0);
    thread.poll_function = opened.job.function.test;
    thread.poll_requests = put_requests((const uint32_t[]){0x33, 0x22}, 2);
    thread.poll_request_count = 2;
    thread.other_poll_requests[0] = put_requests((const uint32_t[]){0x11, 0x22, 0x99}, 3);
    thread.other_poll_request_count[0] = 3;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_eq(got.waiting_count, 1);
    CHECK_WAITING(2);
    cr_assert_eq(next_poll(&got), mqs_ok);
    cr_assert_eq(got.waiting_count, 2);
    CHECK_WAITING(1, 2);
}

Test(polls, are_more_where_the_runtime_says_so)
{
    struct mpilens_thread thread = poller(0);
    thread.more_polls = 1;
    add_thread(&thread);
    thread.more_polls = 0;
    thread.index = 1;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(got.more_polls == 1 && got.loop_polls == 2);
    got = next_thread();
    cr_assert(got.more_polls == 0 && got.loop_polls == 2);
}

Test(polls, are_never_more_than_a_record_has)
{
    struct mpilens_thread thread = poller(0);
    thread.other_poll_count = UINT32_MAX;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_eq(got.loop_polls, 8);
    for (int i = 0; i < 7; i++)
        cr_assert_eq(next_poll(&got), mqs_ok);
    cr_assert_eq(next_poll(&got), mqs_end_of_list);
}

Test(polls, are_none_of_a_thread_that_does_not_poll)
{
    struct mpilens_thread thread = poller(0);
    thread.completions++;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(!got.polling && got.loop_polls == 0 && got.more_polls == 0);
    cr_assert_eq(next_poll(&got), mqs_end_of_list);
    cr_assert_eq(mpilens_next_poll(opened.process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_setup_thread_iterator(opened.process), mqs_ok);
    cr_assert_eq(next_poll(&got), MPILENS_ERROR_NO_CURRENT);
}
