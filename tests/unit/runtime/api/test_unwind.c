/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An exception that an error handler in C++ throws finds its way from inside of a call to its caller, past the wrapper.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <unwind.h>

TestSuite(unwind, .init = begin_mpi);

static char buffer[64];
static const void *wanted; /* a function's code */
static bool found;

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *unused)
{
    (void)unused;
    found = found || site_is_in((uint64_t)_Unwind_GetIP(context), wanted);
    return _URC_NO_REASON;
}

static void unwind(const struct fake_call *call)
{
    (void)call;
    found = false;
    _Unwind_Backtrace(look_at_frame, NULL);
}

/* The call is made in a function of its own. */
#define CHECK_CALLER_FOUND(call)                                                                                       \
    do {                                                                                                               \
        wanted = CODE_OF(call);                                                                                        \
        fake.hook = unwind;                                                                                            \
        call();                                                                                                        \
        cr_assert(found, "%s", #call);                                                                                 \
    } while (0)

__attribute__((noinline)) static void send(void)
{
    volatile int error = MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* not the last thing: no jump */
    (void)error;
}

__attribute__((noinline)) static void send_past_tools(void)
{
    volatile int error = PMPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    (void)error;
}

__attribute__((noinline)) static void send_and_receive(void)
{
    volatile int error =
        MPI_Sendrecv(buffer, 7, MPI_INT, 1, 0, buffer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    (void)error;
}

__attribute__((noinline)) static void wait_for_many(void)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    volatile int error = MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    (void)error;
}

__attribute__((noinline)) static void reduce(void)
{
    volatile int error = MPI_Allreduce(MPI_IN_PLACE, buffer, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    (void)error;
}

Test(unwind, from_inside_a_call_finds_its_caller)
{
    CHECK_CALLER_FOUND(send);
    CHECK_CALLER_FOUND(send_past_tools);
    CHECK_CALLER_FOUND(send_and_receive);
    CHECK_CALLER_FOUND(wait_for_many);
    CHECK_CALLER_FOUND(reduce);
    end_mpi();
}

static void send_inside(const struct fake_call *call)
{
    (void)call;
    CHECK_CALLER_FOUND(send);
}

Test(unwind, from_a_call_of_a_callback_finds_its_caller)
{
    fake.hook = send_inside;
    reduce();
    end_mpi();
}
