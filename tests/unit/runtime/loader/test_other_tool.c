/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With another tool between the runtime and the MPI library: both see what they would see alone.
 */
#include "inside.h"
#include "other_tool.h"

#include <criterion/criterion.h>

#include <setjmp.h>

TestSuite(other_tool, .init = begin_mpi);

static char buffer[64];

Test(other_tool, gets_what_the_application_calls)
{
    fake.hook = look_inside;
    unsigned calls = fake.calls;
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(other_tool.sends, 1);
    cr_assert_eq(fake.calls - calls, 1, "the library is called once");
    cr_assert_eq(inside.looks, 1);
    cr_assert_str_eq(inside.function, "MPI_Send");
    cr_assert_eq(inside.operation.state, MPILENS_OPERATION_PENDING);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1, "recorded once");
    end_mpi();
}

Test(other_tool, does_not_get_what_goes_past_it)
{
    for (unsigned i = 1; i <= 3; i++) {
        PMPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        cr_assert_eq(other_tool.sends, i - 1);
        MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        cr_assert_eq(other_tool.sends, i);
    }
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 6);
    end_mpi();
}

Test(other_tool, may_pass_a_call_on_as_another)
{
    MPI_Request request;
    MPI_Isend(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    cr_assert_eq(other_tool.isends, 1);
    cr_assert_str_eq(fake.last_name, "MPI_Issend");
    cr_assert_eq(shadow_live_operations(), 1, "one request, one operation");
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1);
    end_mpi();
}

Test(other_tool, has_communicators_of_its_own)
{
    MPI_Comm duplicate;
    const struct mpilens_communicator *world = shadow_communicator(MPI_COMM_WORLD);
    fake.communicator = (MPI_Comm)0x84000009;
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    cr_assert_eq(other_tool.duplicates, 1);
    cr_assert_not_null(shadow_communicator(duplicate));
    cr_assert_eq(world->collective_states[MPILENS_COLLECTIVE_BARRIER].count, 0);
    MPI_Comm_free(&duplicate);
    end_mpi();
}

static void sends_in_callback(const struct fake_call *call)
{
    fake.hook = look_inside;
    volatile int error = MPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD); /* not the last thing: no jump */
    cr_assert_eq(error, MPI_SUCCESS);
    cr_assert_str_eq(inside.function, "MPI_Send");
    cr_assert_eq(inside.operation.peer, 3);
    fake.hook = look_inside;
    error = PMPI_Send(buffer, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
    cr_assert_eq(error, MPI_SUCCESS);
    look_inside(call);
}

Test(other_tool, does_not_hide_callbacks_of_the_application)
{
    fake.hook = sends_in_callback;
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(inside.operation.peer, 2);
    cr_assert_eq(other_tool.sends, 2, "one of the three has gone past it");
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 2);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 1);
    fake.hook = sends_in_callback;
    PMPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(other_tool.sends, 3);
    end_mpi();
}

static jmp_buf target;

static void jump(const struct fake_call *call)
{
    (void)call;
    longjmp(target, 1);
}

Test(other_tool, is_called_after_a_jump_out_of_a_call_past_it)
{
    fake.hook = jump;
    if (setjmp(target) == 0)
        PMPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    cr_assert_eq(other_tool.sends, 2);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 2);
    end_mpi();
}
