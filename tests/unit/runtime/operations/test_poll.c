/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loops of tests and probes that find nothing: the record of each poll, and the end of the loop.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(poll, .init = begin_mpi);

static char buffer[64];

__attribute__((noinline)) static int iprobe_from_here(int tag)
{
    int flag = -1;
    MPI_Iprobe(2, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return flag;
}

__attribute__((noinline)) static int test_from_here(MPI_Request *request)
{
    int flag = -1;
    MPI_Test(request, &flag, MPI_STATUS_IGNORE);
    return flag;
}

/* Two receives, and the thread's record. */
static const struct mpilens_thread *begin_receives(MPI_Request *requests, int count)
{
    for (int i = 0; i < count; i++)
        MPI_Irecv(buffer, 1, MPI_INT, 3, i, MPI_COMM_WORLD, &requests[i]);
    return shadow_thread();
}

static void collect(MPI_Request *requests, int count)
{
    complete_all();
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
    end_mpi();
}

static uint64_t receive_number(size_t number)
{
    return address_of(shadow_operation(MPILENS_OPERATION_PENDING, number));
}

Test(poll, is_counted_while_nothing_else_happens)
{
    for (int i = 0; i < 10; i++)
        cr_assert_eq(iprobe_from_here(5), 0);
    const struct mpilens_thread *thread = shadow_thread();
    cr_assert_eq(thread->polls, 10);
    cr_assert_str_eq(shadow_function_name(thread->poll_function), "MPI_Iprobe");
    cr_assert_eq(thread->poll_peer, 2);
    cr_assert_eq(thread->poll_tag, 5);
    cr_assert_eq(thread->poll_communicator, address_of(shadow_communicator(MPI_COMM_WORLD)));
    cr_assert_eq(thread->poll_operation, 0);
    cr_assert_eq(thread->other_poll_count, 0);
    cr_assert(site_is_in(thread->poll_site, CODE_OF(iprobe_from_here)));
    cr_assert_leq(thread->poll_since, thread->poll_last);
    cr_assert_eq(thread->poll_operations, thread->operations);
    cr_assert_eq(thread->poll_completions, thread->completions);
    end_mpi();
}

Test(poll, begins_anew_after_an_operation)
{
    for (int i = 0; i < 10; i++)
        iprobe_from_here(i % 2);
    MPI_Send(buffer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    const struct mpilens_thread *thread = shadow_thread();
    cr_assert(thread->poll_operations != thread->operations || thread->poll_completions != thread->completions);
    iprobe_from_here(5);
    cr_assert_eq(thread->polls, 1);
    cr_assert_eq(thread->poll_tag, 5);
    cr_assert_eq(thread->other_poll_count, 0);
    end_mpi();
}

Test(poll, names_the_operation)
{
    MPI_Request request;
    int flag;
    const struct mpilens_thread *thread = begin_receives(&request, 1);
    for (int i = 0; i < 5; i++)
        test_from_here(&request);
    cr_assert_eq(thread->polls, 5);
    cr_assert_eq(thread->poll_operation, receive_number(0));
    for (int i = 0; i < 5; i++)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(thread->polls, 10);
    cr_assert_eq(thread->other_poll_count, 1);
    cr_assert_str_eq(shadow_function_name(thread->other_poll_function[0]), "MPI_Request_get_status");
    cr_assert_eq(thread->other_poll_operation[0], thread->poll_operation);
    fake.flag = 1;
    test_from_here(&request);
    cr_assert_neq(thread->poll_completions, thread->completions, "no longer polling");
    end_mpi();
}

Test(poll, differs_by_place_and_arguments)
{
    MPI_Request requests[2];
    const struct mpilens_thread *thread = begin_receives(requests, 2);
    for (int i = 0; i < 12; i++) {
        test_from_here(&requests[i % 2]);
        iprobe_from_here(7 + i % 2);
        iprobe_from_here(7 + i % 2);
    }
    cr_assert_eq(thread->polls, 36);
    cr_assert_eq(thread->other_poll_count, 3);
    cr_assert_eq(thread->more_polls, 0);
    cr_assert_eq(thread->poll_operation, receive_number(0));
    cr_assert_eq(thread->other_poll_operation[1], receive_number(1));
    for (int i = 0; i < 2; i++) {
        const int number = 2 * i;
        cr_assert_str_eq(shadow_function_name(thread->other_poll_function[number]), "MPI_Iprobe");
        cr_assert_eq(thread->other_poll_communicator[number], address_of(shadow_communicator(MPI_COMM_WORLD)));
        cr_assert_eq(thread->other_poll_operation[number], 0);
        cr_assert_eq(thread->other_poll_peer[number], 2);
        cr_assert_eq(thread->other_poll_tag[number], 7 + i);
        cr_assert(site_is_in(thread->other_poll_site[number], CODE_OF(iprobe_from_here)));
    }
    cr_assert(site_is_in(thread->other_poll_site[1], CODE_OF(test_from_here)));
    cr_assert_leq(thread->poll_since, thread->other_poll_since[0]);
    cr_assert_leq(thread->other_poll_since[0], thread->other_poll_since[1]);
    cr_assert_leq(thread->other_poll_since[1], thread->poll_last);
    collect(requests, 2);
}

Test(poll, says_where_there_are_more_than_fit)
{
    const struct mpilens_thread *thread = shadow_thread();
    for (int round = 0; round < 2; round++)
        for (int tag = 0; tag < 8; tag++)
            iprobe_from_here(tag);
    cr_assert_eq(thread->other_poll_count, 7);
    cr_assert_eq(thread->more_polls, 0);
    iprobe_from_here(8);
    cr_assert_eq(thread->other_poll_count, 7);
    cr_assert_eq(thread->other_poll_tag[6], 7);
    cr_assert_eq(thread->more_polls, 1);
    cr_assert_eq(thread->polls, 17);
    fake.flag = 1;
    iprobe_from_here(8);
    cr_assert_eq(thread->polls, 0, "it has found something");
    fake.flag = 0;
    iprobe_from_here(0);
    cr_assert(thread->polls == 1 && thread->other_poll_count == 0 && thread->more_polls == 0);
    end_mpi();
}

static void check_handles(uint64_t address, uint64_t count, const MPI_Request *requests, uint64_t expected)
{
    const MPI_Request *handles = (const MPI_Request *)(uintptr_t)address;
    cr_assert_eq(count, expected);
    for (uint64_t i = 0; i < count; i++)
        cr_assert_eq(handles[i], requests[i]);
}

Test(poll, of_arrays_has_their_requests)
{
    MPI_Request requests[3];
    int flag, index, count, indices[2];
    const struct mpilens_thread *thread = begin_receives(requests, 3);
    for (int i = 0; i < 3; i++) {
        MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
        MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        MPI_Testsome(2, requests + 1, &count, indices, MPI_STATUSES_IGNORE);
    }
    cr_assert_eq(thread->polls, 9);
    cr_assert_eq(thread->other_poll_count, 2);
    cr_assert_str_eq(shadow_function_name(thread->poll_function), "MPI_Testall");
    cr_assert_str_eq(shadow_function_name(thread->other_poll_function[0]), "MPI_Testany");
    cr_assert_str_eq(shadow_function_name(thread->other_poll_function[1]), "MPI_Testsome");
    check_handles(thread->poll_requests, thread->poll_request_count, requests, 3);
    check_handles(thread->other_poll_requests[0], thread->other_poll_request_count[0], requests, 2);
    check_handles(thread->other_poll_requests[1], thread->other_poll_request_count[1], requests + 1, 2);
    cr_assert_eq(thread->request_count, 0, "no call is under way");
    collect(requests, 3);
}

__attribute__((noinline)) static void testall_from_here(int count, MPI_Request *requests)
{
    int flag;
    MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
}

Test(poll, of_arrays_differs_by_what_they_hold)
{
    MPI_Request requests[3];
    const struct mpilens_thread *thread = begin_receives(requests, 3);
    for (int i = 0; i < 6; i++) {
        MPI_Request copies[2] = {requests[i % 2], requests[2]};
        testall_from_here(2, copies);
    }
    cr_assert_eq(thread->other_poll_count, 1);
    cr_assert_eq(*(const MPI_Request *)(uintptr_t)thread->poll_requests, requests[0]);
    cr_assert_eq(*(const MPI_Request *)(uintptr_t)thread->other_poll_requests[0], requests[1]);
    collect(requests, 3);
}

Test(poll, of_nothing_does_not_end_the_loop)
{
    MPI_Request requests[2], nothing[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int flag, index, count, indices[2];
    const struct mpilens_thread *thread = begin_receives(requests, 1);
    test_from_here(&requests[0]);
    fake.flag = 1;
    test_from_here(&nothing[0]);
    MPI_Testall(2, nothing, &flag, MPI_STATUSES_IGNORE);
    MPI_Testany(2, nothing, &index, &flag, MPI_STATUS_IGNORE);
    MPI_Testsome(2, nothing, &count, indices, MPI_STATUSES_IGNORE);
    cr_assert_eq(thread->polls, 1);
    cr_assert_eq(thread->other_poll_count, 0);
    fake.flag = 0;
    test_from_here(&requests[0]);
    cr_assert_eq(thread->polls, 2);
    collect(requests, 1);
}

Test(poll, keeps_the_communicator_that_it_names)
{
    MPI_Comm communicator;
    int flag;
    fake.communicator = (MPI_Comm)0x84000007;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    const struct mpilens_communicator *record = shadow_communicator(communicator);
    iprobe_from_here(1);
    MPI_Iprobe(2, 1, communicator, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_thread()->other_poll_communicator[0], address_of(record));
    MPI_Comm_free(&communicator);
    cr_assert_eq(shadow_thread()->polls, 0);
    for (int i = 0; i < 2000; i++) {
        fake.communicator = (MPI_Comm)(uintptr_t)(0x84000008u + (unsigned)i);
        MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
        MPI_Comm_free(&communicator);
    }
    cr_assert_eq(record->handle, 0x84000007, "no other one has taken its place");
    end_mpi();
}
