/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about threads: their calls, since when, and their polls.
 */
#include "threads.h"

#include <criterion/criterion.h>

TestSuite(threads, .init = create_job, .fini = close_job);

Test(threads, come_in_the_order_of_their_first_call)
{
    for (uint32_t i = 3; i > 0; i--) {
        struct mpilens_thread thread = in_call(0);
        thread.index = i;
        thread.tid = 100 + i;
        thread.state = i == 2 ? MPILENS_THREAD_ENDED : MPILENS_THREAD_ALIVE;
        add_thread(&thread);
    }
    add_thread(&(struct mpilens_thread){.state = 0});
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(got.index == 1 && got.tid == 101 && !got.ended);
    got = next_thread();
    cr_assert(got.index == 2 && got.tid == 102 && got.ended);
    got = next_thread();
    cr_assert(got.index == 3 && !got.ended);
    cr_assert_eq(mpilens_next_thread(opened.process, &got), mqs_end_of_list);
    cr_assert_eq(mpilens_next_thread(opened.process, &got), mqs_end_of_list);
}

Test(threads, outside_mpi_have_no_call)
{
    struct mpilens_thread thread = in_call(0);
    thread.entered = 4321; /* its last call */
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_str_eq(got.function, "");
    cr_assert(got.site == 0 && got.entered == 4321 && !got.polling && got.last_polled == 0 && got.polls == 0);
    cr_assert(got.communicator_id == 0 && got.peer_local == -1 && got.peer_world == -1 && got.tag == -1);
    cr_assert(got.completions == 5 && got.operation_serial == 12 && got.waiting_count == 0);
    check_waiting(NULL, 0);
}

Test(threads, in_a_blocking_call_take_site_and_time_from_its_operation)
{
    struct mpilens_operation operation = fake_job_operation(&opened.job, opened.job.function.send,
                                                            MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING, 2, 1);
    struct mpilens_thread thread = in_call(opened.job.function.send);
    thread.operation = add_operation(&operation);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_str_eq(got.function, "MPI_Send");
    cr_assert_eq(got.call_class, MPILENS_CALL_POINT_TO_POINT);
    cr_assert(got.site == 0x401001 && got.entered == 5001 && got.waiting_count == 1);
    CHECK_WAITING(1);
}

Test(threads, in_a_call_whose_operation_is_not_in_the_copy_have_no_site)
{
    struct mpilens_thread thread = in_call(opened.job.function.send);
    thread.operation = 0x4242;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_str_eq(got.function, "MPI_Send");
    cr_assert(got.site == 0 && got.entered == 0 && got.waiting_count == 0);
}

Test(threads, in_a_probe_say_for_what_and_on_which_communicator)
{
    struct mpilens_thread thread = in_call(opened.job.function.probe);
    thread.communicator = opened.job.inter;
    thread.peer = 1;
    thread.tag = 6;
    add_thread(&thread);
    thread.index = 1;
    thread.peer = FAKE_ANY_SOURCE;
    thread.tag = FAKE_ANY_TAG;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(got.communicator_id == 103 && got.peer_local == 1 && got.peer_world == 3 && got.tag == 6);
    cr_assert_eq(got.tag_wild, 0);
    got = next_thread();
    cr_assert(got.peer_local == -1 && got.peer_world == -1 && got.tag_wild == 1);
}

Test(threads, in_a_collective_say_on_which_communicator)
{
    struct mpilens_thread thread = in_call(opened.job.function.barrier);
    thread.communicator = opened.job.world;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_str_eq(got.function, "MPI_Barrier");
    cr_assert_eq(got.call_class, MPILENS_CALL_COLLECTIVE);
    cr_assert_eq(got.collective_class, MPILENS_COLLECTIVE_BARRIER);
    cr_assert(got.communicator_id == 100 && got.site == 0x404000 && got.entered == 6000 && got.peer_local == -1);
}

static struct mpilens_thread poller(void)
{
    struct mpilens_thread thread = in_call(0);
    thread.polls = 40;
    thread.poll_site = 0x409000;
    thread.poll_since = 5500;
    thread.poll_last = 6000;
    thread.poll_function = opened.job.function.test;
    thread.poll_operations = thread.operations;
    thread.poll_completions = thread.completions;
    return thread;
}

Test(threads, that_poll_are_shown_in_the_call_that_they_poll_with)
{
    struct mpilens_thread thread = poller();
    thread.poll_operation = add_request(MPILENS_OPERATION_SEND, 0x11, MPILENS_OPERATION_PENDING);
    add_thread(&thread);
    thread.index = 1; /* inside the next test */
    thread.function = opened.job.function.test;
    thread.entered = 7000;
    thread.operation = thread.poll_operation;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(got.polling, 1);
        cr_assert_str_eq(got.function, "MPI_Test");
        cr_assert(got.site == 0x409000 && got.entered == 5500 && got.last_polled == 6000 && got.polls == 40);
        CHECK_WAITING(1);
        if (i == 0)
            got = next_thread();
    }
}

Test(threads, that_poll_with_a_probe_say_for_what)
{
    struct mpilens_thread thread = poller();
    thread.poll_function = opened.job.function.iprobe;
    thread.poll_communicator = opened.job.split;
    thread.poll_peer = 0;
    thread.poll_tag = 77;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert(got.polling && got.communicator_id == 102 && got.peer_local == 0 && got.peer_world == 3);
    cr_assert(got.tag == 77 && !got.tag_wild);
}

Test(threads, that_have_gone_on_since_they_polled_do_not_poll)
{
    struct mpilens_thread thread = poller();
    thread.operations++;
    add_thread(&thread);
    thread = poller();
    thread.index = 1;
    thread.completions++;
    add_thread(&thread);
    thread = poller();
    thread.index = 2;
    thread.polls = 0; /* was in another call since */
    add_thread(&thread);
    thread = poller();
    thread.index = 3;
    thread.function = opened.job.function.barrier;
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    for (int i = 0; i < 4; i++) {
        cr_assert(!got.polling && got.last_polled == 0 && got.polls == 0);
        cr_assert_str_eq(got.function, i == 3 ? "MPI_Barrier" : "");
        if (i < 3)
            got = next_thread();
    }
}

Test(threads, are_none_before_the_iterator_is_set_up)
{
    struct mpilens_thread thread = in_call(0);
    add_thread(&thread);
    struct mpilens_thread_information got = open_first_thread();
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_thread(opened.process, &got), mqs_end_of_list);
    size_t count = 0;
    cr_assert_eq(mpilens_get_waiting(opened.process, NULL, 0, &count), MPILENS_ERROR_NO_CURRENT);
    cr_assert_eq(mpilens_setup_thread_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_get_waiting(opened.process, NULL, 0, &count), MPILENS_ERROR_NO_CURRENT);
}
