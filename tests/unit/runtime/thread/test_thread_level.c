/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs whose threads are in MPI at the same time though they have promised that they would not be.
 */
#include "inside.h"
#include "thread/thread.h"

#include <criterion/criterion.h>

#include <pthread.h>

static char buffer[64];
static MPI_Request requests[3];

static void begin(int level)
{
    int provided;
    fake.rank = 1;
    fake.thread_level = level;
    MPI_Init_thread(NULL, NULL, level, &provided);
}

static void begin_funneled(void)
{
    begin(MPI_THREAD_FUNNELED);
}

static void begin_serialized(void)
{
    begin(MPI_THREAD_SERIALIZED);
}

TestSuite(funneled, .init = begin_funneled);
TestSuite(serialized, .init = begin_serialized);

static void run(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, function, argument), 0);
    pthread_join(thread, NULL);
}

static bool several_at_a_time(void)
{
    return mpilens__threads->requests.shared;
}

static void *send_once(void *unused)
{
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    return unused;
}

Test(funneled, thread_beside_the_only_one_is_noticed)
{
    send_once(NULL);
    cr_assert_not(several_at_a_time());
    run(send_once, NULL);
    cr_assert(several_at_a_time());
    cr_assert_eq(shadow_sent(MPI_COMM_WORLD, 2), 2);
    end_mpi();
}

static void *wait_for(void *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
    return NULL;
}

static void wait_elsewhere(const struct fake_call *call)
{
    (void)call;
    run(wait_for, &requests[0]);
}

Test(serialized, thread_is_not_interfered_with_while_it_is_in_mpi)
{
    for (int i = 0; i < 3; i++) {
        fake.request = (MPI_Request)(0xac000001u + (unsigned)i);
        MPI_Isend(buffer, 1, MPI_INT, 2, i, MPI_COMM_WORLD, &requests[i]);
    }
    fake.hook = wait_elsewhere;
    MPI_Send(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
    cr_assert_eq(requests[0], MPI_REQUEST_NULL);
    cr_assert_eq(shadow_live_operations(), 3, "what the other thread has completed is not known");
    cr_assert(several_at_a_time());
    run(wait_for, &requests[1]);
    cr_assert_eq(shadow_live_operations(), 2, "in turn");
    MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
    cr_assert_eq(shadow_live_operations(), 1);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->tag, 0);
}
