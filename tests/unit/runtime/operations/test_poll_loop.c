/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Polls that are made over and over: they are counted and no more, until something about them is different.
 */
#include "mpi/mpi_traits.h"
#include "receives.h"

#include <criterion/criterion.h>

TestSuite(poll_loop, .init = begin_mpi);

enum { ROUNDS = 100, MOST_NOTED_LATE = 16 };

__attribute__((noinline)) static void iprobe_from_here(int peer, int tag, MPI_Comm communicator)
{
    int flag = -1;
    MPI_Iprobe(peer, tag, communicator, &flag, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void test_from_here(MPI_Request *request)
{
    int flag = -1;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void testall_from_here(int count, MPI_Request *array)
{
    int flag = -1;
    MPI_Testall(count, array, &flag, MPI_STATUSES_IGNORE);
}

static void pause_for(uint64_t ticks)
{
    const uint64_t begin = clock_ticks();
    while (clock_ticks() - begin < ticks)
        continue;
}

Test(poll_loop, has_its_place_count_and_age)
{
    const struct mpilens_thread *thread = shadow_thread();
    post_receives();
    test_from_here(&requests[0]);
    const uint64_t since = thread->poll_since;
    for (int i = 1; i < ROUNDS; i++)
        test_from_here(&requests[0]);
    cr_assert_eq(thread->polls, ROUNDS);
    cr_assert_eq(thread->poll_since, since);
    cr_assert_eq(thread->poll_operation, address_of(operations[0]));
    cr_assert(site_is_in(thread->poll_site, CODE_OF(test_from_here)));
    cr_assert_eq(thread->other_poll_count, 0);
    cr_assert_eq(thread->function, 0);
    finish_receives();
}

Test(poll_loop, says_when_it_was_made_last)
{
    const struct mpilens_thread *thread = shadow_thread();
    for (int i = 0; i < ROUNDS; i++)
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
    uint64_t before = clock_ticks();
    for (int i = 0; i < MOST_NOTED_LATE; i++)
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
    cr_assert_geq(thread->poll_last, before, "it goes on quickly");
    for (int i = 0; i < 2 * MOST_NOTED_LATE; i++) {
        pause_for(UINT64_C(1) << 21);
        before = clock_ticks();
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
        if (i >= MOST_NOTED_LATE)
            cr_assert_geq(thread->poll_last, before, "it pauses");
    }
    end_mpi();
}

Test(poll_loop, notes_other_arguments_at_the_same_place)
{
    const struct mpilens_thread *thread = shadow_thread();
    for (int i = 0; i < ROUNDS; i++)
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++)
        iprobe_from_here(3, 5, MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++)
        iprobe_from_here(3, 6, MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++)
        iprobe_from_here(3, 6, MPI_COMM_SELF);
    cr_assert_eq(thread->polls, 4 * ROUNDS);
    cr_assert_eq(thread->other_poll_count, 3);
    cr_assert(thread->poll_peer == 2 && thread->poll_tag == 5);
    cr_assert(thread->other_poll_peer[0] == 3 && thread->other_poll_tag[0] == 5);
    cr_assert(thread->other_poll_peer[1] == 3 && thread->other_poll_tag[1] == 6);
    cr_assert_eq(thread->other_poll_communicator[1], address_of(shadow_communicator(MPI_COMM_WORLD)));
    cr_assert_eq(thread->other_poll_communicator[2], address_of(shadow_communicator(MPI_COMM_SELF)));
    end_mpi();
}

Test(poll_loop, notes_other_requests_in_the_same_variables)
{
    const struct mpilens_thread *thread = shadow_thread();
    MPI_Request array[2];
    post_receives();
    for (int i = 0; i < 3 * ROUNDS; i++) {
        array[0] = requests[i / ROUNDS];
        array[1] = requests[3];
        test_from_here(&array[0]);
        testall_from_here(2, array);
    }
    cr_assert_eq(thread->polls, 6 * ROUNDS);
    cr_assert_eq(thread->other_poll_count, 5);
    cr_assert_eq(thread->poll_operation, address_of(operations[0]));
    for (int i = 0; i < 3; i++) {
        const MPI_Request *handles = (const MPI_Request *)(uintptr_t)thread->other_poll_requests[2 * i];
        cr_assert_eq(thread->other_poll_request_count[2 * i], 2);
        cr_assert(handles[0] == requests[i] && handles[1] == requests[3]);
        cr_assert(i == 0 || thread->other_poll_operation[2 * i - 1] == address_of(operations[i]));
    }
    finish_receives();
}

/* For each number of polls that follow each other in the loop's round. */
Test(poll_loop, is_told_apart_in_any_order)
{
    const struct mpilens_thread *thread = shadow_thread();
    post_receives();
    for (int i = 0; i < ROUNDS; i++) {
        for (int k = 0; k < 1 + i % 5; k++)
            test_from_here(&requests[0]);
        testall_from_here(2, requests);
        for (int k = 0; k < i % 3; k++)
            testall_from_here(3, requests);
    }
    cr_assert_eq(thread->polls, 3 * ROUNDS + ROUNDS + 99);
    cr_assert_eq(thread->other_poll_count, 2);
    cr_assert_eq(thread->more_polls, 0);
    cr_assert_eq(thread->other_poll_request_count[0], 2);
    cr_assert_eq(thread->other_poll_request_count[1], 3);
    finish_receives();
}

Test(poll_loop, begins_anew_after_any_other_call)
{
    const struct mpilens_thread *thread = shadow_thread();
    for (int i = 0; i < ROUNDS; i++) {
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
        const uint64_t since = thread->poll_since;
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
        cr_assert_eq(thread->polls, 2);
        cr_assert_eq(thread->poll_since, since);
        MPI_Barrier(MPI_COMM_WORLD);
        uint64_t before;
        clock_stamp(&before);
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
        cr_assert_eq(thread->polls, 1);
        cr_assert_geq(thread->poll_since, before);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    end_mpi();
}

Test(poll_loop, finds_what_it_asked_for)
{
    MPI_Status status, statuses[REQUESTS];
    int flag = 0, index, count, indices[REQUESTS];
    post_receives();
    for (int i = 0; i <= ROUNDS; i++) {
        fake.done[2] = i == ROUNDS;
        MPI_Testany(REQUESTS, requests, &index, &flag, MPI_STATUS_IGNORE);
    }
    cr_assert(flag && index == 2);
    check_only_over(1 << 2);
    for (int i = 0; i <= ROUNDS; i++) {
        fake.done[4] = i == ROUNDS;
        MPI_Testsome(REQUESTS, requests, &count, indices, statuses);
    }
    cr_assert_eq(count, 1);
    check_only_over(1 << 2 | 1 << 4);
    for (int i = 0; i <= ROUNDS; i++) {
        fake.flag = i == ROUNDS;
        fake.status = fake_status(0, 0, 10, false);
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    }
    fake.flag = 0;
    check_only_over(1 << 0 | 1 << 2 | 1 << 4);
    for (int i = 0; i <= ROUNDS; i++) {
        fake.flag = i == ROUNDS;
        fake.status = fake_status(1, 1, 11, false);
        MPI_Request_get_status(requests[1], &flag, &status);
    }
    fake.flag = 0;
    cr_assert_eq(operations[1]->state, MPILENS_OPERATION_COMPLETE);
    for (int i = 0; i <= ROUNDS; i++) {
        if (i == ROUNDS)
            complete_all();
        MPI_Testall(REQUESTS, requests, &flag, MPI_STATUSES_IGNORE);
    }
    check_only_over((1 << REQUESTS) - 1);
    cr_assert_eq(shadow_thread()->polls, 0);
    end_mpi();
}

Test(poll_loop, that_finds_something_ends_with_a_call)
{
    const struct mpilens_thread *thread = shadow_thread();
    for (int i = 0; i < ROUNDS; i++)
        iprobe_from_here(2, 5, MPI_COMM_WORLD);
    uint64_t before;
    clock_stamp(&before);
    fake.flag = 1;
    iprobe_from_here(2, 5, MPI_COMM_WORLD);
    cr_assert_eq(thread->polls, 0);
    cr_assert_geq(thread->entered, before);
    end_mpi();
}

/* Inside a poll the user's callback is in a loop of its own at the same place, with as many requests. */
static void poll_others(const struct fake_call *call)
{
    (void)call;
    MPI_Request others[2] = {requests[4], requests[5]};
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++)
        testall_from_here(2, others);
}

Test(poll_loop, inside_another_one_leaves_that_its_requests)
{
    const struct mpilens_thread *thread = shadow_thread();
    post_receives();
    for (int i = 0; i < ROUNDS; i++) {
        testall_from_here(2, requests);
        testall_from_here(2, requests);
        fake.hook = poll_others;
        testall_from_here(2, requests);
    }
    testall_from_here(2, requests);
    const MPI_Request *handles = (const MPI_Request *)(uintptr_t)thread->other_poll_requests[0];
    cr_assert_eq(thread->other_poll_count, 1);
    cr_assert(handles[0] == requests[0] && handles[1] == requests[1]);
    fake.done[0] = fake.done[1] = true;
    testall_from_here(2, requests);
    check_only_over(1 << 0 | 1 << 1);
    finish_receives();
}
