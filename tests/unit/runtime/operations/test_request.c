/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that are cancelled, asked about or freed.
 */
#include "operations/operations.h"
#include "receives.h"

#include <criterion/criterion.h>

TestSuite(request, .init = begin_mpi);

static char buffer[64];

Test(request, cancelled_of_a_receive_has_received_nothing)
{
    post_receives();
    MPI_Cancel(&requests[2]);
    cr_assert(operations[2]->flags & MPILENS_OPERATION_CANCEL_CALLED);
    check_only_over(0);
    fake.status = fake_status(MPI_UNDEFINED, 0, 0, true);
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    cr_assert_eq(operations[2]->state, MPILENS_OPERATION_ABANDONED);
    cr_assert(operations[2]->flags & MPILENS_OPERATION_CANCELLED);
    MPI_Cancel(&requests[3]); /* too late: the message has come */
    fake.status = fake_status(3, 3, 13, false);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    check_over(3);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), 1);
    finish_receives();
}

Test(request, cancelled_of_a_send_has_sent_nothing)
{
    MPI_Request request;
    MPI_Isend(buffer, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    fake.status = fake_status(MPI_UNDEFINED, 0, 0, true);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED), 0);
    MPI_Isend(buffer, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    fake.status = fake_status(MPI_UNDEFINED, 0, 0, false);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1);
    end_mpi();
}

Test(request, seen_complete_is_still_there)
{
    post_receives();
    int flag = -1;
    fake.flag = 0;
    MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
    check_only_over(0);
    fake.flag = 1;
    fake.status = fake.statuses[1];
    MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(operations[1]->state, MPILENS_OPERATION_COMPLETE);
    cr_assert_eq(operations[1]->actual_bytes, 11);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    check_over(1);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), 1, "counted once");
    finish_receives();
}

Test(request, seen_complete_is_so_with_both_its_operations)
{
    MPI_Request request;
    int flag = -1;
    MPI_Isendrecv(buffer, 1, MPI_INT, 2, 5, buffer, 2, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &request);
    fake.flag = 1;
    fake.status = fake_status(0, 6, 16, false);
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE), 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(request, freed_is_never_known_to_complete)
{
    post_receives();
    MPI_Request_free(&requests[1]);
    cr_assert_eq(requests[1], MPI_REQUEST_NULL);
    cr_assert_eq(operations[1]->state, MPILENS_OPERATION_RELEASED);
    fake.flag = 1;
    fake.status = fake.statuses[2];
    int flag;
    MPI_Request_get_status(requests[2], &flag, MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[2]);
    cr_assert_eq(operations[2]->state, MPILENS_OPERATION_RETIRED, "it was known to be complete");
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1, "and the message has come");
    complete_all();
    MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), 1);
}

Test(request, freed_with_an_error_is_freed)
{
    MPI_Request request;
    MPI_Send_init(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    CHECK_REFUSED(MPI_Request_free(&request), MPI_ERR_REQUEST);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT), 1);
    fake.error = FAKE_ERROR(MPI_ERR_OTHER);
    MPI_Request_free(&request);
    cr_assert_eq(request, MPI_REQUEST_NULL);
    end_mpi();
}

static void begin_same(MPI_Request *handles, int count)
{
    for (int i = 0; i < count; i++) {
        fake.request = FAKE_COMPLETE_REQUEST;
        MPI_Isend(buffer, 1, MPI_INT, 2, i, MPI_COMM_WORLD, &handles[i]);
    }
}

Test(request, freed_of_several_under_one_handle_is_the_oldest)
{
    MPI_Request same[3];
    begin_same(same, 3);
    MPI_Request_free(&same[2]);
    cr_assert_eq(shadow_live_operations(), 2);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_RETIRED, 0)->tag, 0, "which one it was, nobody can tell");
    complete_all();
    MPI_Waitall(2, same, MPI_STATUSES_IGNORE);
    end_mpi();
}

Test(request, seen_complete_or_cancelled_under_a_handle_of_several_stays_as_it_is)
{
    MPI_Request same[2];
    int flag;
    begin_same(same, 2);
    MPI_Cancel(&same[1]);
    fake.flag = 1;
    MPI_Request_get_status(same[1], &flag, MPI_STATUS_IGNORE);
    MPI_Request_get_status(MPI_REQUEST_NULL, &flag, MPI_STATUS_IGNORE);
    for (size_t i = 0; i < 2; i++)
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_COMPLETE, i)->flags & MPILENS_OPERATION_CANCEL_CALLED, 0);
    complete_all();
    MPI_Waitall(2, same, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 2);
    end_mpi();
}

Test(request, of_both_that_is_complete_at_once_has_both_complete)
{
    MPI_Request request;
    fake.request = FAKE_COMPLETE_REQUEST;
    MPI_Isendrecv(buffer, 1, MPI_INT, MPI_PROC_NULL, 5, buffer, 2, MPI_INT, MPI_PROC_NULL, 6, MPI_COMM_WORLD, &request);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE), 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(request, freed_very_often_is_given_up_oldest_first)
{
    for (int i = 0; i < 5000; i++) {
        MPI_Request request;
        MPI_Isend(buffer, 1, MPI_INT, 2, i, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    size_t released = shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RELEASED);
    cr_assert_eq(released, 1024);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_RELEASED, 0)->tag, 5000 - 1024);
}

Test(request, several_seen_complete_are_those_that_are_named)
{
    post_receives();
    const int indices[] = {4, 1, -1, 1000};
    MPI_Status statuses[REQUESTS] = {fake_status(0, 4, 14, false), fake_status(1, 1, 11, false)};
    requests_seen_complete(mpilens__thread, 4, indices, requests, REQUESTS, statuses);
    for (int i = 0; i < REQUESTS; i++)
        cr_assert_eq(operations[i]->state, i == 1 || i == 4 ? MPILENS_OPERATION_COMPLETE : MPILENS_OPERATION_PENDING);
    cr_assert_eq(operations[4]->actual_bytes, 14);
    cr_assert_eq(operations[1]->actual_bytes, 11);
    requests_seen_complete(mpilens__thread, MPI_UNDEFINED, indices, requests, REQUESTS, statuses);
    requests_seen_complete(mpilens__thread, 1, NULL, requests, REQUESTS, statuses);
    cr_assert_eq(operations[0]->state, MPILENS_OPERATION_COMPLETE);
    finish_receives();
}
