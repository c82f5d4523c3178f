/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that an error handler leaves by a jump.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <setjmp.h>

TestSuite(jump, .init = begin_mpi);

static char buffer[64];
static jmp_buf target;

static void jump(const struct fake_call *call)
{
    (void)call;
    longjmp(target, 1);
}

/* The call is left from inside; then another is made from the same place. */
#define LEAVE(call)                                                                                                    \
    do {                                                                                                               \
        fake.hook = jump;                                                                                              \
        if (setjmp(target) == 0) {                                                                                     \
            call;                                                                                                      \
            cr_assert_fail("it has returned");                                                                         \
        }                                                                                                              \
        fake.hook = look_inside;                                                                                       \
        MPI_Comm_set_name(MPI_COMM_WORLD, "name");                                                                     \
        cr_assert_str_eq(inside.function, "MPI_Comm_set_name");                                                        \
        cr_assert_eq(inside.thread.operation_2, 0);                                                                    \
        cr_assert_eq(inside.thread.request_count, 0);                                                                  \
        cr_assert_eq(shadow_thread()->function, 0);                                                                    \
    } while (0)

Test(jump, out_of_a_send_leaves_nothing)
{
    LEAVE(MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD));
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 0, "it has failed");
    end_mpi();
}

Test(jump, out_of_a_receive_leaves_nothing)
{
    LEAVE(MPI_Recv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_RETIRED), 0);
    end_mpi();
}

Test(jump, out_of_a_send_and_receive_leaves_nothing)
{
    LEAVE(MPI_Sendrecv(buffer, 7, MPI_INT, 1, 0, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 0);
    end_mpi();
}

Test(jump, out_of_the_start_of_an_operation_leaves_nothing)
{
    MPI_Request request = MPI_REQUEST_NULL;
    LEAVE(MPI_Isend(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request));
    LEAVE(MPI_Irecv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request));
    LEAVE(MPI_Isendrecv(buffer, 7, MPI_INT, 2, 0, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request));
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 0);
    end_mpi();
}

Test(jump, out_of_a_collective_call_leaves_nothing)
{
    LEAVE(MPI_Barrier(MPI_COMM_WORLD));
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    cr_assert_eq(world->recent_collectives[0].active, 0);
    cr_assert_eq(world->collective_states[MPILENS_COLLECTIVE_BARRIER].count, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    cr_assert_eq(world->collective_states[MPILENS_COLLECTIVE_BARRIER].count, 2);
    end_mpi();
}

Test(jump, out_of_a_waitall_leaves_the_requests)
{
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++)
        MPI_Irecv(buffer, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
    LEAVE(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    cr_assert_eq(shadow_live_operations(), 3);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    end_mpi();
}

static void jump_after_completion(const struct fake_call *call)
{
    call->requests[0] = MPI_REQUEST_NULL; /* as an error handler finds it */
    longjmp(target, 1);
}

Test(jump, out_of_a_wait_that_has_failed_does_not_spoil_the_next_use_of_the_handle)
{
    MPI_Request request, next;
    const MPI_Request handle = (MPI_Request)0xac000005;
    int flag;
    fake.request = handle;
    MPI_Irecv(buffer, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
    fake.hook = jump_after_completion;
    if (setjmp(target) == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    fake.request = handle;
    MPI_Irecv(buffer, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &next);
    cr_assert_eq(shadow_live_operations(), 1);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->tag, 2);
    fake.flag = 1;
    fake.status = fake_status(2, 2, 4, false);
    MPI_Request_get_status(next, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&next, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_RETIRED, 0)->tag, 2);
    end_mpi();
}

static void jump_from_within(const struct fake_call *call)
{
    (void)call;
    fake.hook = jump;
    MPI_Recv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Overwrites the stack below this call. */
__attribute__((noinline)) static void overwrite_stack(void)
{
    volatile char garbage[20000];
    for (size_t i = 0; i < sizeof garbage; i++)
        garbage[i] = (char)(i | 1);
}

Test(jump, out_of_a_call_in_a_callback_leaves_both)
{
    for (volatile int i = 0; i < 20; i++) {
        fake.hook = jump_from_within;
        if (setjmp(target) == 0)
            MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
        overwrite_stack();
        LEAVE(MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD));
    }
    cr_assert_eq(shadow_live_operations(), 0);
    for (int i = 0; i < 2000; i++)
        MPI_Send(buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    end_mpi();
}

Test(jump, is_noted_by_a_call_that_needs_more_stack)
{
#if defined(__clang__)
    cr_skip_test("only gcc tells where the stack of a function begins");
#endif
    fake.hook = jump;
    if (setjmp(target) == 0)
        MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    fake.hook = look_inside;
    MPI_Sendrecv(buffer, 7, MPI_INT, 1, 0, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    cr_assert_str_eq(inside.function, "MPI_Sendrecv");
    cr_assert_eq(shadow_thread()->function, 0);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 0);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 1);
    end_mpi();
}

static void jump_inside(const struct fake_call *call)
{
    fake.hook = jump;
    if (setjmp(target) == 0)
        MPI_Recv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fake.status = fake_status(2, 0, 4, false);
    MPI_Recv(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    look_inside(call);
    cr_assert_str_eq(inside.function, "MPI_Send");
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
    cr_assert_eq(shadow_live_operations(), 1);
}

Test(jump, out_of_a_call_in_a_callback_to_the_callback_leaves_the_outer_one)
{
    fake.hook = jump_inside;
    MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 1);
    end_mpi();
}

Test(jump, out_of_a_start_starts_nothing)
{
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++)
        MPI_Send_init(buffer, 1, MPI_INT, 2, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Start(&requests[0]);
    LEAVE(MPI_Start(&requests[1]));
    cr_assert_eq(shadow_live_operations(), 1);
    LEAVE(MPI_Startall(2, &requests[1]));
    cr_assert_eq(shadow_live_operations(), 1, "the one that was active before");
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1);
    MPI_Startall(2, &requests[1]);
    cr_assert_eq(shadow_live_operations(), 3);
    complete_all();
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    end_mpi();
}

Test(jump, out_of_a_nonblocking_collective_was_no_call)
{
    MPI_Request request;
    LEAVE(MPI_Ibarrier(MPI_COMM_WORLD, &request));
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    cr_assert_eq(world->collective_states[MPILENS_COLLECTIVE_BARRIER].active, 0);
    cr_assert_eq(shadow_live_operations(), 0);
    end_mpi();
}

Test(jump, out_of_the_start_of_a_generalized_request_leaves_nothing)
{
    MPI_Request request;
    LEAVE(MPI_Grequest_start(NULL, NULL, NULL, NULL, &request));
    cr_assert_eq(shadow_live_operations(), 0);
    end_mpi();
}
