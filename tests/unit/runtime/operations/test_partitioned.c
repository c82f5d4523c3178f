/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Partitioned requests: persistent ones with a mark for each partition.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(partitioned, .init = begin_mpi);

enum { PARTITIONS = 8 };

static char buffer[64];
static MPI_Request request;

static const struct mpilens_partitions *partitions(void)
{
    return shadow_record(MPILENS_TABLE_PARTITIONS, MPILENS_OBJECT_LIVE, 0);
}

/* Bit i: partition i is marked. */
static unsigned marks(void)
{
    const uint8_t *bytes = (const uint8_t *)(uintptr_t)partitions()->marks;
    unsigned bits = 0;
    for (unsigned i = 0; i < PARTITIONS; i++)
        bits |= (unsigned)bytes[i] << i;
    return bits;
}

static void make_send(void)
{
    MPI_Psend_init(buffer, PARTITIONS, 3, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
}

static void make_receive(void)
{
    MPI_Precv_init(buffer, PARTITIONS, 3, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
}

static void finish(void)
{
    MPI_Request_free(&request);
    cr_assert_eq(shadow_count(MPILENS_TABLE_PARTITIONS, 0), 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT), 0);
    end_mpi();
}

Test(partitioned, requests_are_persistent_and_have_their_partitions)
{
    make_send();
    const struct mpilens_operation *persistent = shadow_operation(MPILENS_OPERATION_PERSISTENT, 0);
    cr_assert_eq(persistent->flags, MPILENS_OPERATION_SEND | MPILENS_OPERATION_PAIRED | MPILENS_OPERATION_PARTITIONED);
    cr_assert_eq(persistent->actual_bytes, (uint64_t)(uintptr_t)partitions());
    cr_assert_eq(persistent->count, 3 * PARTITIONS, "the whole message");
    cr_assert_eq(partitions()->count, PARTITIONS);
    cr_assert_eq(marks(), 0);
    MPI_Start(&request);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(operation->flags,
                 MPILENS_OPERATION_SEND | MPILENS_OPERATION_PARTITIONED | MPILENS_OPERATION_FROM_PERSISTENT);
    cr_assert_eq(operation->count, 3 * PARTITIONS);
    cr_assert_eq(operation->peer, 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    finish();
}

Test(partitioned, sends_mark_what_is_ready)
{
    int list[] = {0, 7};
    make_send();
    MPI_Start(&request);
    MPI_Pready(1, request);
    cr_assert_eq(marks(), 0x02);
    MPI_Pready_range(3, 5, request);
    cr_assert_eq(marks(), 0x3a, "both ends included");
    MPI_Pready_list(2, list, request);
    cr_assert_eq(marks(), 0xbb);
    fake.error = FAKE_ERROR(MPI_ERR_ARG);
    MPI_Pready(2, request);
    cr_assert_eq(marks(), 0xbb);
    MPI_Pready_range(-5, 1000, request); /* whatever the library thinks of it */
    cr_assert_eq(marks(), 0xff);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(marks(), 0xff, "of the last start");
    MPI_Start(&request);
    cr_assert_eq(marks(), 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    finish();
}

Test(partitioned, receives_mark_what_has_been_seen_to_arrive)
{
    int flag = -1;
    make_receive();
    fake.flag = 1;
    MPI_Parrived(request, 4, &flag);
    cr_assert_eq(marks(), 0, "not started: it says yes to everything");
    MPI_Parrived(MPI_REQUEST_NULL, 4, &flag);
    MPI_Start(&request);
    MPI_Parrived(request, 4, &flag);
    cr_assert_eq(marks(), 0x10);
    fake.flag = 0;
    for (int i = 0; i < 100; i++)
        MPI_Parrived(request, 5, &flag);
    cr_assert_eq(marks(), 0x10);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(shadow_thread()->polls, 100);
    cr_assert_eq(shadow_thread()->poll_operation, (uint64_t)(uintptr_t)operation);
    cr_assert_str_eq(shadow_function_name(shadow_thread()->poll_function), "MPI_Parrived");
    fake.flag = 1;
    MPI_Parrived(request, 5, &flag);
    cr_assert_eq(shadow_thread()->polls, 0);
    fake.status = fake_status(0, 0, 96, false); /* some libraries do not say whence */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
    cr_assert_eq(operation->actual_bytes, 96);
    finish();
}

Test(partitioned, marks_on_requests_that_are_none_do_nothing)
{
    MPI_Request plain;
    make_send();
    MPI_Start(&request);
    MPI_Recv_init(buffer, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, &plain);
    MPI_Start(&plain);
    MPI_Pready(0, plain);
    MPI_Pready(0, (MPI_Request)0x98000077);
    cr_assert_eq(marks(), 0);
    cr_assert_eq(shadow_live_operations(), 2);
    fake.status = fake_status(2, 9, 4, false);
    MPI_Wait(&plain, MPI_STATUS_IGNORE);
    MPI_Request_free(&plain);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    finish();
}
