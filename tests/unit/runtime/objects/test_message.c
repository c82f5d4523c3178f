/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Probes, and messages between a matched probe and their receive.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(message, .init = begin_mpi);

static char buffer[64];

static MPI_Message probe(int handle, int source, int tag, uint64_t bytes)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    fake.message = (MPI_Message)handle;
    fake.status = fake_status(source, tag, bytes, false);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    return message;
}

static const struct mpilens_message *only_message(void)
{
    cr_assert_eq(shadow_count(MPILENS_TABLE_MESSAGES, 0), 1);
    return shadow_record(MPILENS_TABLE_MESSAGES, 0, 0);
}

__attribute__((noinline)) static int probe_from_here(void)
{
    volatile int error = MPI_Probe(2, 17, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return error;
}

Test(message, probes_show_what_they_wait_for)
{
    fake.hook = look_inside;
    probe_from_here();
    cr_assert_str_eq(inside.function, "MPI_Probe");
    cr_assert_eq(inside.thread.operation, 0);
    cr_assert_eq(inside.thread.peer, 2);
    cr_assert_eq(inside.thread.tag, 17);
    cr_assert_eq(inside.thread.communicator, (uint64_t)(uintptr_t)shadow_communicator(MPI_COMM_WORLD));
    cr_assert(site_is_in(inside.thread.site, CODE_OF(probe_from_here)));
    end_mpi();
}

Test(message, is_kept_from_its_probe_to_its_receive)
{
    MPI_Message message = probe(0x6c000044, 2, 9, 33);
    const struct mpilens_message *record = only_message();
    cr_assert_eq(record->state, MPILENS_OBJECT_LIVE);
    cr_assert_eq(record->handle, 0x6c000044);
    cr_assert_eq(record->source, 2);
    cr_assert_eq(record->tag, 9);
    cr_assert_eq(record->bytes, 33);
    cr_assert_eq(record->communicator, (uint64_t)(uintptr_t)shadow_communicator(MPI_COMM_WORLD));
    cr_assert_str_eq(shadow_function_name(record->function), "MPI_Mprobe");
    fake.hook = look_inside;
    MPI_Mrecv(buffer, 40, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_MATCHED);
    cr_assert_eq(inside.operation.flags,
                 MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_BLOCKING | MPILENS_OPERATION_FROM_MESSAGE);
    cr_assert_eq(inside.operation.peer, 2);
    cr_assert_eq(inside.operation.tag, 9);
    cr_assert_eq(inside.operation.actual_source, 2);
    cr_assert_eq(inside.operation.actual_bytes, 33);
    cr_assert_eq(inside.operation.count, 40);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
    end_mpi();
}

Test(message, can_be_received_without_blocking)
{
    MPI_Message message = probe((int)0xac000044, 3, 1, 5);
    MPI_Request request;
    fake.request = (MPI_Request)0xac000044; /* the same number, for a request */
    MPI_Imrecv(buffer, 8, MPI_CHAR, &message, &request);
    cr_assert_eq(shadow_count(MPILENS_TABLE_MESSAGES, 0), 0);
    message = probe((int)0xac000044, 3, 2, 5); /* as long as the request is pending */
    cr_assert_eq(only_message()->tag, 2);
    MPI_Mrecv(buffer, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_MATCHED, 0);
    cr_assert_not_null(operation);
    cr_assert_eq(operation->request, (uint32_t)request);
    cr_assert_eq(operation->flags, MPILENS_OPERATION_RECEIVE | MPILENS_OPERATION_FROM_MESSAGE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 3), 2);
    end_mpi();
}

Test(message, that_is_not_there_is_not_kept)
{
    MPI_Message message;
    int flag;
    fake.flag = 0;
    fake.message = (MPI_Message)0x6c000044;
    MPI_Improbe(1, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_count(MPILENS_TABLE_MESSAGES, 0), 0);
    fake.flag = 1;
    fake.status = fake_status(1, 1, 5, false);
    MPI_Improbe(1, 1, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(only_message()->bytes, 5);
    MPI_Mrecv(buffer, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(message, of_the_null_process_is_none)
{
    MPI_Message message = probe(MPI_MESSAGE_NO_PROC, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    cr_assert_eq(shadow_count(MPILENS_TABLE_MESSAGES, 0), 0);
    fake.hook = look_inside;
    MPI_Mrecv(buffer, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(inside.operation.peer, MPI_PROC_NULL);
    end_mpi();
}

Test(message, that_is_too_long_for_its_receive_is_gone_all_the_same)
{
    MPI_Message message = probe(0x6c000044, 2, 9, 33);
    fake.error = FAKE_ERROR(MPI_ERR_TRUNCATE);
    MPI_Mrecv(buffer, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
    cr_assert_eq(shadow_count(MPILENS_TABLE_MESSAGES, 0), 0);
    end_mpi();
}

Test(message, that_could_not_be_received_is_still_there)
{
    MPI_Message message = probe(0x6c000044, 2, 9, 33);
    MPI_Request request;
    fake.error = FAKE_ERROR(MPI_ERR_BUFFER);
    fake.error_is_early = true;
    MPI_Mrecv(buffer, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    fake.error = FAKE_ERROR(MPI_ERR_BUFFER);
    fake.error_is_early = true;
    MPI_Imrecv(buffer, 1, MPI_CHAR, &message, &request);
    cr_assert_eq(shadow_live_operations(), 0);
    only_message();
    MPI_Mrecv(buffer, 1, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(message, that_is_nowhere_is_the_library_s_error)
{
    MPI_Request request;
    CHECK_REFUSED(MPI_Mrecv(buffer, 1, MPI_CHAR, NULL, MPI_STATUS_IGNORE), MPI_ERR_ARG);
    CHECK_REFUSED(MPI_Imrecv(buffer, 1, MPI_CHAR, NULL, &request), MPI_ERR_ARG);
    end_mpi();
}

static void probe_again(const struct fake_call *call)
{
    (void)call;
    *(MPI_Message *)fake.hook_context = probe(0x6c000044, 1, 2, 3);
}

Test(message, whose_handle_is_used_again_before_the_receive_returns_is_another)
{
    MPI_Message second = MPI_MESSAGE_NULL;
    MPI_Message message = probe(0x6c000044, 2, 9, 33);
    fake.hook = probe_again;
    fake.hook_context = &second;
    MPI_Mrecv(buffer, 40, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(only_message()->source, 1, "the new message is still to be received");
    MPI_Mrecv(buffer, 40, MPI_CHAR, &second, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(message, whose_handle_is_given_again_was_received_by_a_call_that_was_not_seen)
{
    probe(0x6c000044, 2, 9, 33);
    MPI_Message message = probe(0x6c000044, 1, 2, 3);
    cr_assert_eq(only_message()->source, 1);
    MPI_Mrecv(buffer, 40, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    end_mpi();
}

Test(message, keeps_the_communicator_that_it_came_on)
{
    MPI_Comm communicator = MPI_COMM_NULL;
    const MPI_Comm handle = (MPI_Comm)0x84000002;
    fake.communicator = handle;
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    const struct mpilens_communicator *record = shadow_communicator(handle);
    MPI_Message message;
    fake.message = (MPI_Message)0x6c000044;
    fake.status = fake_status(2, 9, 33, false);
    MPI_Mprobe(2, 9, communicator, &message, MPI_STATUS_IGNORE);
    MPI_Comm_free(&communicator);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    cr_assert_neq(shadow_communicator(handle), record);
    fake.hook = look_inside;
    MPI_Mrecv(buffer, 40, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    cr_assert_eq(inside.operation.communicator, (uint64_t)(uintptr_t)record);
    MPI_Comm_free(&communicator);
    end_mpi();
}
