/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on windows that have a request.
 */
#include "constructors.h"
#include "inside.h"

#include <criterion/criterion.h>

#include <setjmp.h>

TestSuite(window_operation, .init = begin_mpi);

enum { HANDLE = (int)0xa0000000 };

static char buffer[64];
static jmp_buf target;

Test(window_operation, says_what_it_is_until_it_is_waited_for)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *record = shadow_window(window);
    MPI_Request request;
    fake.hook = look_inside;
    MPI_Rput(buffer, 5, MPI_DOUBLE, 3, 0, 5, MPI_DOUBLE, window, &request);
    cr_assert_str_eq(inside.function, "MPI_Rput");
    cr_assert_eq(inside.thread.object, address_of(record));
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
    const struct mpilens_operation *operation = shadow_operation(MPILENS_OPERATION_PENDING, 0);
    cr_assert_eq(operation->flags, MPILENS_OPERATION_ONE_SIDED);
    cr_assert_eq(operation->object, address_of(record));
    cr_assert_eq(operation->communicator, record->communicator);
    cr_assert_eq(operation->datatype, address_of(shadow_datatype(MPI_DOUBLE)));
    cr_assert_eq(operation->count, 5);
    cr_assert_eq(operation->peer, 3);
    cr_assert_eq(operation->buffer, address_of(buffer));
    cr_assert_eq(record->users, 1);
    cr_assert_eq(record->operations, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(record->users, 0);
    cr_assert_eq(operation->state, MPILENS_OPERATION_RETIRED);
    MPI_Request requests[3];
    const unsigned asked = fake.type_size_calls;
    MPI_Rget(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, window, &requests[0]);
    MPI_Raccumulate(buffer, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, window, &requests[1]);
    MPI_Rget_accumulate(NULL, 0, (MPI_Datatype)0x777, buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_NO_OP, window,
                        &requests[2]);
    for (int i = 0; i < 2; i++) {
        MPI_Request request_of_unknown;
        MPI_Rget_accumulate(NULL, 0, (MPI_Datatype)0x777, buffer, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_NO_OP, window,
                            &request_of_unknown);
        MPI_Wait(&request_of_unknown, MPI_STATUS_IGNORE);
    }
    cr_assert_eq(record->users, 3);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 2)->peer, 2);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(record->users, 0);
    fake.error = FAKE_ERROR(MPI_ERR_RMA_SYNC);
    MPI_Rput(buffer, 5, MPI_DOUBLE, 3, 0, 5, MPI_DOUBLE, window, &request);
    cr_assert_eq(record->users, 0, "it never was");
    cr_assert_eq(fake.type_size_calls, asked, "a datatype that may be ignored is not asked for its size");
    MPI_Win_free(&window);
    end_mpi();
}

Test(window_operation, that_is_complete_at_once_may_share_its_request)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *record = shadow_window(window);
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++) {
        fake.request = (MPI_Request)0x6c00000c;
        MPI_Rput(buffer, 1, MPI_INT, i, 0, 1, MPI_INT, window, &requests[i]);
    }
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_COMPLETE), 3);
    cr_assert_eq(record->users, 0, "they are over");
    cr_assert_eq(record->operations, 3);
    for (int i = 0; i < 3; i++)
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    cr_assert_eq(record->users, 0);
    MPI_Win_free(&window);
    end_mpi();
}

Test(window_operation, keeps_its_window_known)
{
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    const struct mpilens_window *record = shadow_window(window);
    const uint64_t id = record->unique_id;
    MPI_Request request;
    MPI_Rput(buffer, 1, MPI_INT, 3, 0, 1, MPI_INT, window, &request);
    MPI_Win_free(&window);
    for (int i = 0; i < 200; i++) {
        window = create_window_as(MPI_COMM_WORLD, HANDLE);
        MPI_Win_free(&window);
    }
    cr_assert_eq(record->unique_id, id, "its record is not used again");
    cr_assert_eq(record->state, MPILENS_OBJECT_FREED);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 200; i++) {
        window = create_window_as(MPI_COMM_WORLD, HANDLE);
        MPI_Win_free(&window);
    }
    cr_assert_leq(shadow_count(MPILENS_TABLE_WINDOWS, 0), 40, "records are used again");
    end_mpi();
}

static void jump(const struct fake_call *call)
{
    (void)call;
    longjmp(target, 1);
}

Test(window_operation, left_by_a_jump_never_was)
{
    MPI_Request request;
    MPI_Win window = create_window_as(MPI_COMM_WORLD, HANDLE);
    fake.hook = jump;
    if (setjmp(target) == 0)
        MPI_Rput(buffer, 1, MPI_INT, 3, 0, 1, MPI_INT, window, &request);
    cr_assert_eq(shadow_window(window)->users, 1);
    MPI_Win_sync(window); /* it shows that the call has been left */
    cr_assert_eq(shadow_window(window)->users, 0);
    fake.hook = jump;
    if (setjmp(target) == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 3, 0, window);
    MPI_Win_sync(window);
    cr_assert_eq(shadow_window(window)->lock_count, 0);
    MPI_Win_free(&window);
    end_mpi();
}
