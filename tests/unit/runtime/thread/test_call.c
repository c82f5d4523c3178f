/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls inside calls: of the library itself and of the user's callbacks.
 */
#include "inside.h"

#include <criterion/criterion.h>

TestSuite(nested, .init = begin_mpi);

static char buffer[64];

static void library_sends(const struct fake_call *call)
{
    (void)call;
    fake_library_sends(MPI_Send, 3, 99);
    MPI_Comm duplicate = MPI_COMM_NULL;
    fake.communicator = (MPI_Comm)0x84000009;
    fake_library_duplicates(MPI_Comm_dup, MPI_COMM_WORLD, &duplicate);
    look_inside(call);
}

Test(nested, calls_of_the_library_itself_are_not_recorded)
{
    fake.hook = library_sends;
    MPI_Barrier(MPI_COMM_WORLD);
    cr_assert_eq(inside.looks, 1);
    cr_assert_str_eq(inside.function, "MPI_Barrier");
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 0);
    cr_assert_eq(shadow_thread()->operations, 0);
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000009));
    end_mpi();
}

static void check_library_calls_in_initialization(const struct fake_call *call)
{
    library_sends(call);
    cr_assert_str_eq(inside.function, "MPI_Init");
    cr_assert_eq(inside.thread.operations, 0);
    cr_assert_null(shadow_communicator((MPI_Comm)0x84000009));
}

static void user_makes_info(const struct fake_call *call)
{
    (void)call;
    MPI_Info info = MPI_INFO_NULL;
    fake.object = (int)0x9c000001;
    volatile int error = MPI_Info_create(&info); /* one of the calls that are allowed before initialization */
    cr_assert_eq(error, MPI_SUCCESS);
    cr_assert_not_null(shadow_info(info));
    MPI_Info_free(&info);
    fake.object = MPI_ERRORS_ARE_FATAL; /* as before */
}

/* Its records are ready before the library is. */
TestSuite(nested_in_initialization);

Test(nested_in_initialization, calls_of_the_library_are_not_recorded)
{
    fake.hook = check_library_calls_in_initialization;
    MPI_Init(NULL, NULL);
    cr_assert_eq(inside.looks, 1);
    end_mpi();
}

Test(nested_in_initialization, calls_of_the_application_are)
{
    fake.hook = user_makes_info;
    MPI_Init(NULL, NULL);
    end_mpi();
}

static struct inside before, during, after;

static void user_communicates(const struct fake_call *call)
{
    look_inside(call);
    before = inside;
    fake.hook = look_inside;
    fake.status = fake_status(2, 5, 4, false);
    MPI_Recv(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    during = inside;
    MPI_Request request;
    for (int i = 0; i < 600; i++) { /* all around the recorder */
        MPI_Isend(buffer, 1, MPI_INT, 3, i, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(buffer, 1, MPI_INT, 3, i, MPI_COMM_WORLD);
    }
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    fake.status = fake_status(1, 0, 4, false);
    look_inside(call);
    after = inside;
}

static void check_restored(void)
{
    cr_assert_eq(after.thread.function, before.thread.function);
    cr_assert_eq(after.thread.site, before.thread.site);
    cr_assert_eq(after.thread.entered, before.thread.entered);
    cr_assert_eq(after.thread.operation, before.thread.operation);
    cr_assert_eq(after.thread.operation_2, before.thread.operation_2);
    cr_assert_eq(after.thread.communicator, before.thread.communicator);
    cr_assert_eq(after.thread.requests, before.thread.requests);
    cr_assert_eq(after.thread.request_count, before.thread.request_count);
    cr_assert_eq(after.thread.frame, before.thread.frame);
    cr_assert_eq(after.operation.posted, before.operation.posted, "the outer operation's record has been used again");
    cr_assert_eq(after.operation.state, before.operation.state);
    cr_assert_eq(after.operation_2.posted, before.operation_2.posted);
}

static void check_during(void)
{
    cr_assert_str_eq(during.function, "MPI_Recv");
    cr_assert_eq(during.operation.tag, 5);
    cr_assert_eq(during.thread.operation_2, 0, "that is the outer call's");
    cr_assert_eq(during.thread.request_count, 0, "those are the outer call's");
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 3), 1200);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), 1);
}

Test(nested, calls_of_a_callback_in_a_send_are_recorded_and_the_send_comes_back)
{
    fake.hook = user_communicates;
    MPI_Send(buffer, 7, MPI_INT, 1, 0, MPI_COMM_WORLD);
    cr_assert_str_eq(before.function, "MPI_Send");
    check_during();
    check_restored();
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 1);
    end_mpi();
}

Test(nested, calls_of_a_callback_in_a_send_and_receive_are_recorded)
{
    fake.hook = user_communicates;
    MPI_Sendrecv(buffer, 7, MPI_INT, 1, 0, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check_during();
    check_restored();
    end_mpi();
}

Test(nested, calls_of_a_callback_in_a_waitall_are_recorded)
{
    MPI_Request requests[3];
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(buffer, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        fake.statuses[i] = fake_status(1, i, 4, false);
    }
    fake.hook = user_communicates;
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    cr_assert_eq(before.thread.request_count, 3);
    check_during();
    check_restored();
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 1), 3);
    end_mpi();
}

Test(nested, calls_of_a_callback_in_a_collective_call_are_recorded)
{
    fake.hook = user_communicates;
    MPI_Allreduce(buffer, buffer + 8, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    check_during();
    check_restored();
    end_mpi();
}

static int depth;

static void nest(const struct fake_call *call)
{
    (void)call;
    if (++depth < 10) {
        fake.hook = nest;
        volatile int error =
            MPI_Send(buffer, depth, MPI_INT, 1, depth, MPI_COMM_WORLD); /* not the last thing: no jump */
        cr_assert_eq(error, MPI_SUCCESS);
    } else
        cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PENDING), 10, "%zu",
                     shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PENDING));
}

Test(nested, calls_may_be_many_deep)
{
    fake.hook = nest;
    MPI_Send(buffer, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    cr_assert_eq(depth, 10);
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 1), 10);
    end_mpi();
}
