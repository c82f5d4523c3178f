/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests: arguments once, an operation for every start.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(persistent, .init = begin_mpi);

static char buffer[64];

__attribute__((noinline)) static int start_from_here(MPI_Request *request)
{
    volatile int error = MPI_Start(request);
    return error;
}

static size_t live(void)
{
    return shadow_live_operations();
}

static size_t persistent(void)
{
    return shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT);
}

Test(persistent, requests_have_their_mode_and_are_no_operations)
{
    static int (*const inits[])(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                                MPI_Request *) = {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};
    static const uint32_t modes[] = {0, MPILENS_OPERATION_BUFFERED, MPILENS_OPERATION_SYNCHRONOUS,
                                     MPILENS_OPERATION_READY};
    for (size_t i = 0; i < 4; i++) {
        MPI_Request request;
        inits[i](buffer, 3, MPI_INT, 2, 9, MPI_COMM_WORLD, &request);
        const struct mpilens_operation *arguments = shadow_operation(MPILENS_OPERATION_PERSISTENT, 0);
        cr_assert_eq(arguments->flags, MPILENS_OPERATION_SEND | MPILENS_OPERATION_PAIRED | modes[i]);
        cr_assert_eq(arguments->request, (uint32_t)request);
        cr_assert_eq(arguments->started, 0);
        cr_assert_eq(live(), 0);
        start_from_here(&request);
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->flags,
                     MPILENS_OPERATION_SEND | MPILENS_OPERATION_FROM_PERSISTENT | modes[i]);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        cr_assert_eq(persistent(), 0);
    }
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 4);
    end_mpi();
}

Test(persistent, requests_start_operations_again_and_again)
{
    MPI_Request request;
    MPI_Recv_init(buffer, 3, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &request);
    const struct mpilens_operation *arguments = shadow_operation(MPILENS_OPERATION_PERSISTENT, 0);
    for (int i = 0; i < 700; i++) {
        start_from_here(&request);
        cr_assert_eq(live(), 1);
        const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
        cr_assert_eq(arguments->started, (uint64_t)(uintptr_t)operation);
        cr_assert_eq(operation->flags, MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_FROM_PERSISTENT);
        cr_assert_eq(operation->request, (uint32_t)request);
        cr_assert_eq(operation->count, 3);
        cr_assert_eq(operation->peer, MPI_ANY_SOURCE);
        cr_assert_eq(operation->tag, 9);
        cr_assert_eq(operation->communicator, (uint64_t)(uintptr_t)shadow_communicator(MPI_COMM_WORLD));
        cr_assert_eq(operation->datatype, (uint64_t)(uintptr_t)shadow_datatype(MPI_INT));
        cr_assert_eq(operation->posted, operation->posted_check);
        cr_assert(site_is_in(operation->site, CODE_OF(start_from_here)));
        fake.status = fake_status(i % 4, 9, 12, false);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
        cr_assert_eq(operation->actual_source, i % 4);
        cr_assert_eq(arguments->started, 0);
        cr_assert_eq(arguments->state, MPILENS_OPERATION_PERSISTENT);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* inactive: nothing happens */
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), 175);
    MPI_Request_free(&request);
    end_mpi();
}

Test(persistent, requests_are_completed_by_every_kind_of_call)
{
    MPI_Request requests[3];
    int flag, index, count, indices[3];
    for (int i = 0; i < 3; i++)
        MPI_Recv_init(buffer, 3, MPI_INT, i, i, MPI_COMM_WORLD, &requests[i]);
    for (int kind = 0; kind < 6; kind++) {
        for (int i = 0; i < 3; i++) {
            fake.statuses[i] = fake_status(i, i, 4, false);
            fake.done[i] = i == 1;
        }
        MPI_Startall(3, requests);
        cr_assert_eq(live(), 3);
        fake.status = fake_status(1, 1, 4, false);
        fake.flag = 1;
        if (kind == 0)
            MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
        else if (kind == 1)
            MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
        else if (kind == 2)
            MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE);
        else if (kind == 3)
            MPI_Testsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
        else if (kind == 4)
            MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
        else
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        cr_assert_eq(live(), 2, "kind %d", kind);
        cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), (uint64_t)kind + 1);
        complete_all();
        if (kind % 2)
            MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        else
            MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
        cr_assert_eq(live(), 0, "kind %d", kind);
        cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), (uint64_t)kind + 1);
        cr_assert_eq(persistent(), 3);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(persistent, requests_started_together_are_separate_operations)
{
    MPI_Request requests[5];
    for (int i = 0; i < 5; i++)
        MPI_Send_init(buffer, i, MPI_INT, i % 4, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Startall(5, requests);
    for (int i = 0; i < 5; i++)
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, (size_t)i)->tag, i, "in the order of the array");
    complete_all();
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 5; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(persistent, requests_freed_while_active_leave_a_released_operation)
{
    MPI_Request request;
    MPI_Send_init(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, &request);
    start_from_here(&request);
    MPI_Request_free(&request);
    cr_assert_eq(persistent(), 0);
    cr_assert_eq(live(), 1);
    cr_assert_not_null(shadow_operation(MPILENS_OPERATION_RELEASED, 0));
}

Test(persistent, requests_can_be_cancelled_and_started_again)
{
    MPI_Request request;
    MPI_Recv_init(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, &request);
    start_from_here(&request);
    MPI_Cancel(&request);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert(operation->flags & MPILENS_OPERATION_CANCEL_CALLED);
    fake.status = fake_status(0, 0, 0, true);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_ABANDONED);
    start_from_here(&request);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->flags & MPILENS_OPERATION_CANCEL_CALLED, 0);
    fake.status = fake_status(3, 0, 4, false);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), 1);
    MPI_Request_free(&request);
    end_mpi();
}

Test(persistent, requests_seen_complete_stay_active)
{
    MPI_Request request;
    int flag;
    MPI_Recv_init(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, &request);
    start_from_here(&request);
    fake.flag = 1;
    fake.status = fake_status(3, 0, 4, false);
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    cr_assert_not_null(shadow_operation(MPILENS_OPERATION_COMPLETE, 0));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), 1);
    MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE); /* inactive */
    cr_assert_eq(live(), 0);
    MPI_Request_free(&request);
    end_mpi();
}

Test(persistent, messages_count_on_the_channels_of_their_peers)
{
    MPI_Request requests[3];
    MPI_Recv_init(buffer, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Send_init(buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[2]);
    fake.status = fake.statuses[0] = fake.statuses[1] = fake_status(2, 0, 4, false);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++) {
            MPI_Start(&requests[i]);
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
    }
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 8);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 4);
    cr_assert_eq(live(), 0);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(persistent, requests_that_are_inactive_complete_nothing)
{
    MPI_Request requests[2];
    int index = 0, count = 0, flag = 0, indices[2];
    for (int i = 0; i < 2; i++)
        MPI_Recv_init(buffer, 3, MPI_INT, i, i, MPI_COMM_WORLD, &requests[i]);
    uint64_t completions = shadow_thread()->completions;
    complete_all();
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    cr_assert_eq(index, MPI_UNDEFINED);
    MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
    cr_assert_eq(index, MPI_UNDEFINED);
    MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    cr_assert_eq(count, MPI_UNDEFINED);
    MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
    cr_assert_eq(count, MPI_UNDEFINED);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_thread()->completions, completions);
    cr_assert_eq(persistent(), 2);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(persistent, requests_with_the_null_process_are_complete_when_started)
{
    MPI_Request requests[2];
    MPI_Recv_init(buffer, 3, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(buffer, 3, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &requests[1]);
    for (int round = 0; round < 2; round++) {
        MPI_Startall(2, requests);
        const struct mpilens_operation *receive = shadow_operation(MPILENS_OPERATION_PENDING, 0);
        cr_assert_eq(receive->peer, MPI_PROC_NULL);
        fake.statuses[0] = fake_status(0, 0, 99, false); /* garbage, as some libraries leave it */
        complete_all();
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        cr_assert_eq(receive->actual_source, MPI_PROC_NULL);
        cr_assert_eq(receive->actual_bytes, 0);
        cr_assert_eq(persistent(), 2, "the requests stay");
    }
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 0);
    for (int i = 0; i < 2; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}
