/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Receives of matched messages that stand for persistent ones, in calls that complete requests.
 */
#include "fake_mpi.h"
#include "unexpected/unexpected.h"

#include <criterion/criterion.h>

#include <stdlib.h>

static const MPI_Request persistent = (MPI_Request)0x2c000007, of_message = (MPI_Request)0xac000008;

static void begin(void)
{
    int provided;
    setenv("MPILENS_UNEXPECTED", "exact", 1);
    setenv("MPILENS_UNEXPECTED_AFTER", "1000", 1);
    fake.thread_level = MPI_THREAD_MULTIPLE;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &provided);
}

TestSuite(persistent_receive, .init = begin);

/* Makes it and starts it, when its message was taken out before. */
static void start(MPI_Request request)
{
    taken_lock();
    struct taken *taken = taken_reserve();
    cr_assert_neq(taken, NULL);
    taken->communicator = HANDLE_VALUE(MPI_COMM_WORLD);
    taken->message = (MPI_Message)1;
    taken->status = fake_status(1, 7, 4, false);
    taken_publish(taken, NULL);
    taken_unlock();
    persistent_receive_made(NULL, 0, MPI_INT, 1, 7, MPI_COMM_WORLD, request);
    fake.request = of_message;
    cr_assert_eq(persistent_receive_start(&request), MPI_SUCCESS);
    cr_assert_eq(persistent_receive_stand_in(request), of_message);
}

Test(persistent_receive, is_over_when_what_stands_for_it_is)
{
    MPI_Request requests[] = {MPI_REQUEST_NULL, persistent};
    struct stand_ins stand_ins;
    start(persistent);
    cr_assert_eq(stand_ins_begin(&stand_ins, 2, requests), MPI_SUCCESS);
    cr_expect_eq(stand_ins.requests[0], MPI_REQUEST_NULL);
    cr_expect_eq(stand_ins.requests[1], of_message);
    stand_ins.requests[1] = MPI_REQUEST_NULL;
    stand_ins_end(&stand_ins, 2, requests);
    cr_expect_eq(requests[1], persistent);
    cr_expect_eq(persistent_receive_stand_in(persistent), persistent);
    cr_expect_eq(mpilens__stand_ins, 0);
}

Test(persistent_receive, goes_on_while_others_are_over)
{
    MPI_Request requests[] = {(MPI_Request)0xac000009, persistent};
    struct stand_ins stand_ins;
    start(persistent);
    cr_assert_eq(stand_ins_begin(&stand_ins, 2, requests), MPI_SUCCESS);
    stand_ins.requests[0] = MPI_REQUEST_NULL;
    stand_ins_end(&stand_ins, 2, requests);
    cr_expect_eq(requests[0], MPI_REQUEST_NULL);
    cr_expect_eq(requests[1], persistent);
    cr_expect_eq(persistent_receive_stand_in(persistent), of_message);
    cr_expect_eq(mpilens__stand_ins, 1);
}

Test(persistent_receive, has_the_handle_of_a_request_that_another_thread_has_just_completed)
{
    MPI_Request requests[] = {persistent}; /* is a receive of its own, still */
    struct stand_ins stand_ins;
    cr_assert_eq(stand_ins_begin(&stand_ins, 1, requests), MPI_SUCCESS);
    stand_ins.requests[0] = MPI_REQUEST_NULL;
    start(persistent);
    stand_ins_end(&stand_ins, 1, requests);
    cr_expect_eq(requests[0], MPI_REQUEST_NULL);
    cr_expect_eq(persistent_receive_stand_in(persistent), of_message, "another thread waits for it");
    cr_expect_eq(mpilens__stand_ins, 1);
}
