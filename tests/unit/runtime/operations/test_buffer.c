/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The buffer of buffered sends.
 */
#include "inside.h"
#include "mpi/functions.h"
#include "operations/operations.h"

#include <criterion/criterion.h>

TestSuite(buffer, .init = begin_mpi);

static char memory[4096];

static uint32_t inside_class(void)
{
    const struct mpilens_function *functions = (const struct mpilens_function *)(uintptr_t)mpilens_process.functions;
    return functions[inside.thread.function].call_class;
}

Test(buffer, that_is_attached_is_known_until_it_is_detached)
{
    void *detached;
    int bytes;
    cr_assert_eq(mpilens_process.buffer, 0);
    fake.error = FAKE_ERROR(MPI_ERR_BUFFER);
    MPI_Buffer_attach(memory, sizeof memory);
    cr_assert_eq(mpilens_process.buffer, 0);
    MPI_Buffer_attach(memory, sizeof memory);
    cr_assert_eq(mpilens_process.buffer, (uint64_t)(uintptr_t)memory);
    cr_assert_eq(mpilens_process.buffer_bytes, sizeof memory);
    fake.hook = look_inside;
    MPI_Buffer_detach(&detached, &bytes);
    cr_assert_str_eq(inside.function, "MPI_Buffer_detach", "it waits until the buffer is empty");
    cr_assert_eq(inside_class(), MPILENS_CALL_BUFFER);
    cr_assert_eq(mpilens_process.buffer, 0);
    cr_assert_eq(mpilens_process.buffer_bytes, 0);
    end_mpi();
}

Test(buffer, that_is_flushed_without_waiting_is_an_operation)
{
    struct thread *thread = mpilens__thread;
    struct mpilens_operation *operation = buffer_flush_start(thread, FUNCTION_MPI_Buffer_detach, 0x1234, NULL);
    cr_assert_eq(operation->flags, MPILENS_OPERATION_BUFFER);
    cr_assert_eq(operation->site, 0x1234);
    MPI_Request request = (MPI_Request)0x98000033;
    request_operation_started(thread, operation, MPI_SUCCESS, (uint32_t)request);
    call_end(thread);
    cr_assert_eq(shadow_live_operations(), 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    end_mpi();
}
