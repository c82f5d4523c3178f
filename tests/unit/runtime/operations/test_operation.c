/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The records of point-to-point calls, field by field, while they last and afterwards.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(operation, .init = begin_mpi);

static char buffer[64];
static char other_buffer[64];

static const struct {
    const char *name;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*send_c)(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm);
    int (*isend_c)(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    uint32_t mode;
} modes[] = {
    {"MPI_Send", MPI_Send, MPI_Isend, MPI_Send_c, MPI_Isend_c, 0},
    {"MPI_Bsend", MPI_Bsend, MPI_Ibsend, MPI_Bsend_c, MPI_Ibsend_c, MPILENS_OPERATION_BUFFERED},
    {"MPI_Ssend", MPI_Ssend, MPI_Issend, MPI_Ssend_c, MPI_Issend_c, MPILENS_OPERATION_SYNCHRONOUS},
    {"MPI_Rsend", MPI_Rsend, MPI_Irsend, MPI_Rsend_c, MPI_Irsend_c, MPILENS_OPERATION_READY},
};

static void check_operation(const struct mpilens_operation *operation, uint32_t state, uint32_t flags, uint64_t count,
                            MPI_Datatype datatype, int peer, int tag, const void *address)
{
    cr_assert_not_null(operation);
    cr_assert_eq(operation->state, state);
    cr_assert_eq(operation->flags, flags, "flags %x", operation->flags);
    cr_assert_eq(operation->posted, operation->posted_check);
    cr_assert_neq(operation->posted_time, 0);
    cr_assert_eq(operation->communicator, (uint64_t)(uintptr_t)shadow_communicator(MPI_COMM_WORLD));
    cr_assert_eq(operation->datatype, (uint64_t)(uintptr_t)shadow_datatype(datatype));
    cr_assert_eq(operation->count, count);
    cr_assert_eq(operation->buffer, (uint64_t)(uintptr_t)address);
    cr_assert_eq(operation->peer, peer);
    cr_assert_eq(operation->tag, tag);
    cr_assert_eq(operation->second, 0);
    cr_assert_eq(operation->thread, shadow_thread()->index);
}

__attribute__((noinline)) static int send_from_here(size_t mode, uint64_t count)
{
    volatile int error = modes[mode].send(buffer, (int)count, MPI_DOUBLE, 3, 70, MPI_COMM_WORLD);
    return error;
}

Test(operation, of_a_blocking_send_is_visible_while_it_lasts)
{
    for (size_t mode = 0; mode < sizeof modes / sizeof modes[0]; mode++) {
        fake.hook = look_inside;
        cr_assert_eq(send_from_here(mode, 5), MPI_SUCCESS);
        cr_assert_str_eq(inside.function, modes[mode].name);
        check_operation(&inside.operation, MPILENS_OPERATION_PENDING,
                        MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING | modes[mode].mode, 5, MPI_DOUBLE, 3, 70,
                        buffer);
        cr_assert_str_eq(shadow_function_name(inside.operation.function), modes[mode].name);
        cr_assert(site_is_in(inside.operation.site, CODE_OF(send_from_here)));
        cr_assert_eq(shadow_live_operations(), 0);
        cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), mode + 1);
    }
    end_mpi();
}

Test(operation, of_a_blocking_send_is_in_the_recorder_afterwards)
{
    send_from_here(2, 7);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_RETIRED, 0);
    check_operation(operation, MPILENS_OPERATION_RETIRED,
                    MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING | MPILENS_OPERATION_SYNCHRONOUS, 7, MPI_DOUBLE,
                    3, 70, buffer);
    cr_assert_eq(shadow_thread()->completions, 1);
}

__attribute__((noinline)) static int receive_from_here(int peer, int tag, MPI_Status *status)
{
    volatile int error = MPI_Recv(buffer, 9, MPI_CHAR, peer, tag, MPI_COMM_WORLD, status);
    return error;
}

Test(operation, of_a_blocking_receive_is_visible_while_it_lasts)
{
    MPI_Status status;
    fake.status = fake_status(2, 11, 9, false);
    fake.hook = look_inside;
    cr_assert_eq(receive_from_here(2, 11, &status), MPI_SUCCESS);
    cr_assert_str_eq(inside.function, "MPI_Recv");
    check_operation(&inside.operation, MPILENS_OPERATION_PENDING,
                    MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_BLOCKING, 9, MPI_CHAR, 2, 11, buffer);
    cr_assert(site_is_in(inside.operation.site, CODE_OF(receive_from_here)));
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
    end_mpi();
}

Test(operation, of_a_receive_from_anybody_says_what_it_has_received)
{
    MPI_Status status;
    for (int ignored = 0; ignored < 2; ignored++) {
        fake.status = fake_status(3, 12 + ignored, (UINT64_C(5) << 32) + 7, false);
        receive_from_here(MPI_ANY_SOURCE, MPI_ANY_TAG, ignored ? MPI_STATUS_IGNORE : &status);
        const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_RETIRED, (size_t)ignored);
        check_operation(operation, MPILENS_OPERATION_RETIRED, MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_BLOCKING, 9,
                        MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, buffer);
        cr_assert_eq(operation->actual_source, 3);
        cr_assert_eq(operation->actual_tag, 12 + ignored);
        cr_assert_eq(operation->actual_bytes, (UINT64_C(5) << 32) + 7);
        cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), (uint64_t)ignored + 1);
    }
    cr_assert_eq(status.MPI_SOURCE, 3);
    cr_assert_eq(status.MPI_TAG, 12);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, MPI_ANY_SOURCE), 0);
}

__attribute__((noinline)) static int isend_from_here(size_t mode, MPI_Request *request)
{
    volatile int error = modes[mode].isend(buffer, 4, MPI_INT, 2, 8, MPI_COMM_WORLD, request);
    return error;
}

Test(operation, of_a_nonblocking_send_is_pending_until_it_is_collected)
{
    for (size_t mode = 0; mode < sizeof modes / sizeof modes[0]; mode++) {
        MPI_Request request;
        fake.hook = look_inside;
        isend_from_here(mode, &request);
        cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
        cr_assert_eq(inside.thread.operation, (uint64_t)(uintptr_t)shadow_operation(MPILENS_OPERATION_PENDING, 0));
        struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
        check_operation(operation, MPILENS_OPERATION_PENDING, MPILENS_OPERATION_SEND | modes[mode].mode, 4, MPI_INT, 2,
                        8, buffer);
        cr_assert_eq(operation->request, (uint32_t)request);
        cr_assert(site_is_in(operation->site, CODE_OF(isend_from_here)));
        cr_assert_eq(shadow_live_operations(), 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
        cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), mode + 1);
    }
    end_mpi();
}

Test(operation, of_a_nonblocking_receive_is_pending_until_it_is_collected)
{
    MPI_Request request;
    MPI_Irecv(buffer, 3, MPI_FLOAT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
    struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    check_operation(operation, MPILENS_OPERATION_PENDING, MPILENS_OPERATION_RECEIVE, 3, MPI_FLOAT, MPI_ANY_SOURCE, 5,
                    buffer);
    cr_assert_eq(operation->request, (uint32_t)request);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 0, "not yet");
    fake.status = fake_status(0, 5, 12, false);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    cr_assert_eq(operation->actual_source, 0);
    cr_assert_eq(operation->actual_tag, 5);
    cr_assert_eq(operation->actual_bytes, 12);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 1);
    end_mpi();
}

Test(operation, of_a_large_count_function_has_all_of_the_count)
{
    const MPI_Count count = (MPI_Count)5 << 32;
    for (size_t mode = 0; mode < sizeof modes / sizeof modes[0]; mode++) {
        fake.hook = look_inside;
        modes[mode].send_c(buffer, count, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        cr_assert_eq(inside.operation.count, count);
        MPI_Request request;
        modes[mode].isend_c(buffer, count + 1, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
        cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->count, count + 1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request request;
    MPI_Irecv_c(buffer, count, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->count, count);
    cr_assert_str_eq(shadow_function_name(shadow_operation(MPILENS_OPERATION_PENDING, 0)->function), "MPI_Irecv_c");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(operation, of_a_send_and_receive_are_two)
{
    fake.status = fake_status(3, 6, 8, false);
    fake.hook = look_inside;
    MPI_Sendrecv(buffer, 1, MPI_INT, 2, 5, other_buffer, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_Sendrecv");
    check_operation(&inside.operation, MPILENS_OPERATION_PENDING,
                    MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_BLOCKING, 2, MPI_DOUBLE, MPI_ANY_SOURCE, 6,
                    other_buffer);
    check_operation(&inside.operation_2, MPILENS_OPERATION_PENDING, MPILENS_OPERATION_SEND | MPILENS_OPERATION_BLOCKING,
                    1, MPI_INT, 2, 5, buffer);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), 1);
    fake.hook = look_inside;
    MPI_Sendrecv_replace(buffer, 3, MPI_INT, 0, 5, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_Sendrecv_replace");
    cr_assert_eq(inside.operation.peer, 2);
    cr_assert_eq(inside.operation.count, 3);
    cr_assert_eq(inside.operation_2.peer, 0);
    cr_assert_eq(inside.operation_2.count, 3);
    end_mpi();
}

Test(operation, of_a_nonblocking_send_and_receive_are_two_of_one_request)
{
    MPI_Request request;
    MPI_Isendrecv(buffer, 1, MPI_INT, 2, 5, other_buffer, 2, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, &request);
    cr_assert_eq(shadow_live_operations(), 2);
    struct mpilens_operation *send = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    struct mpilens_operation *receive = shadow_operation(MPILENS_OPERATION_PENDING, 1);
    cr_assert(send->flags & MPILENS_OPERATION_SEND);
    cr_assert(receive->flags & MPILENS_OPERATION_RECEIVE);
    cr_assert(receive->flags & MPILENS_OPERATION_PAIRED);
    cr_assert_eq(receive->second, (uint64_t)(uintptr_t)send);
    cr_assert_eq(send->request, (uint32_t)request);
    cr_assert_eq(receive->request, (uint32_t)request);
    fake.status = fake_status(0, 6, 16, false);
    fake.hook = look_inside;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(inside.thread.operation, (uint64_t)(uintptr_t)receive);
    cr_assert_eq(send->state, MPILENS_OPERATION_RETIRED);
    cr_assert_eq(receive->state, MPILENS_OPERATION_RETIRED);
    cr_assert_eq(receive->actual_bytes, 16);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 1);
    MPI_Isendrecv_replace(buffer, 1, MPI_INT, 2, 5, 0, 6, MPI_COMM_WORLD, &request);
    cr_assert_eq(shadow_live_operations(), 2);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    end_mpi();
}

Test(operation, counts_on_the_channel_of_its_peer_where_there_are_many)
{
    enum { PEERS = 1000, ROUNDS = 3 };
    static char buffer[1];
    fake.size = PEERS;
    for (int round = 0; round < ROUNDS; round++)
        for (int peer = 0; peer < PEERS; peer++)
            for (int i = 0; i <= peer % 2; i++)
                MPI_Send(buffer, 1, peer % 3 == 0 ? MPI_CHAR : MPI_BYTE, peer, 0, MPI_COMM_WORLD);
    for (int peer = 0; peer < PEERS; peer++)
        cr_assert_eq(shadow_sent(MPI_COMM_WORLD, peer), (uint64_t)(ROUNDS * (1 + peer % 2)), "peer %d", peer);
    end_mpi();
}

Test(operation, with_the_null_process_is_complete_by_the_peer_alone)
{
    MPI_Status status;
    fake.status = fake_status(0, 0, 99, false); /* garbage, as some libraries leave it */
    MPI_Request request;
    MPI_Irecv(buffer, 3, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &request);
    struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(operation->peer, mpilens_process.proc_null);
    MPI_Wait(&request, &status);
    cr_assert_eq(operation->actual_source, MPI_PROC_NULL);
    cr_assert_eq(operation->actual_tag, MPI_ANY_TAG);
    cr_assert_eq(operation->actual_bytes, 0);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 0);
    MPI_Recv(buffer, 3, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD, &status);
    MPI_Send(buffer, 3, MPI_INT, MPI_PROC_NULL, 5, MPI_COMM_WORLD);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 0), 0);
    end_mpi();
}

Test(operation, that_failed_never_was)
{
    MPI_Request request = 77;
    for (int round = 0; round < 3; round++) {
        CHECK_REFUSED(MPI_Send(buffer, 1, MPI_INT, 9, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
        CHECK_REFUSED(MPI_Recv(buffer, 1, MPI_INT, 9, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK);
        CHECK_REFUSED(MPI_Isend(buffer, 1, MPI_INT, 9, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
        CHECK_REFUSED(MPI_Irecv(buffer, 1, MPI_INT, 9, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
        CHECK_REFUSED(MPI_Send_init(buffer, 1, MPI_INT, 9, 0, MPI_COMM_WORLD, &request), MPI_ERR_RANK);
        CHECK_REFUSED(MPI_Sendrecv(buffer, 1, MPI_INT, 9, 5, other_buffer, 2, MPI_DOUBLE, 9, 6, MPI_COMM_WORLD,
                                   MPI_STATUS_IGNORE),
                      MPI_ERR_RANK);
        CHECK_REFUSED(
            MPI_Isendrecv(buffer, 1, MPI_INT, 9, 5, other_buffer, 2, MPI_DOUBLE, 9, 6, MPI_COMM_WORLD, &request),
            MPI_ERR_RANK);
    }
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED), 0, "not in the recorder");
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 9), 0);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 9), 0);
    cr_assert_eq(request, 77);
    end_mpi();
}

Test(operation, on_a_communicator_that_is_not_known_is_shown_without_one)
{
    fake.hook = look_inside;
    MPI_Send(buffer, 1, MPI_INT, 3, 0, (MPI_Comm)0x84000077);
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
    cr_assert_eq(inside.operation.communicator, 0);
    cr_assert_eq(inside.operation.peer, 3);
    fake.status = fake_status(1, 1, 1, false);
    MPI_Recv(buffer, 1, MPI_INT, 3, 0, (MPI_Comm)0x84000077, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 0);
    end_mpi();
}
