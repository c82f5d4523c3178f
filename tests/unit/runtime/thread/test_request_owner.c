/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that other threads complete: however many threads there are, only the one that has started a request is
 * asked for it.
 */
#include "inside.h"
#include "thread/thread_internal.h"

#include <criterion/criterion.h>

#include <pthread.h>

enum { BYSTANDERS = 30, REQUESTS = 3000 };

TestSuite(request_owner, .init = begin_mpi_multiple);

static char buffer[64];
static MPI_Request requests[REQUESTS];

static void run(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, function, argument), 0);
    pthread_join(thread, NULL);
}

/* `of_all`: the handle of all of them, 0: each has its own. */
static void *start_all(void *of_all)
{
    for (int i = 0; i < REQUESTS; i++) {
        fake.request = *(const MPI_Request *)of_all;
        MPI_Irecv(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &requests[i]);
    }
    return NULL;
}

static int bystanders_to_come = BYSTANDERS;

/* Stays while the others come; the last one starts the requests. */
static void *stand_by(void *of_all)
{
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (--bystanders_to_come > 0)
        run(stand_by, of_all);
    else
        start_all(of_all);
    return NULL;
}

static void start_among_bystanders(MPI_Request of_all)
{
    run(stand_by, &of_all);
    cr_assert_eq(mpilens__threads->published.index, BYSTANDERS);
}

/* Makes a look at any thread but the requests' own crash. */
static void forbid_bystanders(void)
{
    for (struct thread *thread = mpilens__threads->next; thread != NULL; thread = thread->next)
        if (thread != thread_if_known())
            thread->requests.buckets = NULL;
}

static void wait_for(int first, int count)
{
    for (int i = first; i < first + count; i++) {
        fake.status = fake_status(2, 5, 4, false);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
}

Test(request_owner, alone_is_asked_by_who_waits_for_one)
{
    start_among_bystanders(0);
    forbid_bystanders();
    wait_for(0, REQUESTS);
    cr_assert_eq(shadow_live_operations(), 0);
    cr_assert_eq(shadow_received(MPI_COMM_WORLD, 2), REQUESTS);
}

Test(request_owner, alone_is_asked_by_who_waits_for_many)
{
    start_among_bystanders(0);
    forbid_bystanders();
    complete_all();
    for (int i = 0; i < REQUESTS; i += 50)
        MPI_Waitall(50, &requests[i], MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), 0);
}

Test(request_owner, is_found_once_for_requests_that_are_complete_by_nature)
{
    start_among_bystanders(FAKE_COMPLETE_REQUEST);
    wait_for(0, 1);
    forbid_bystanders();
    wait_for(1, REQUESTS / 2);
    complete_all();
    for (int i = 1 + REQUESTS / 2; i + 50 <= REQUESTS; i += 50)
        MPI_Waitall(50, &requests[i], MPI_STATUSES_IGNORE);
    cr_assert_leq(shadow_live_operations(), 50);
}

static void *start_one(void *argument)
{
    MPI_Irecv(buffer, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, argument);
    return NULL;
}

Test(request_owner, is_the_newest_of_a_handle_that_is_given_out_again)
{
    const struct thread *own = thread_if_known();
    fake.request = (MPI_Request)0xac000001;
    start_one(&requests[0]);
    cr_assert_eq(request_owner(0xac000001), own);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    fake.request = (MPI_Request)0xac000001;
    run(start_one, &requests[0]);
    cr_assert_eq(request_owner(0xac000001), mpilens__threads);
    cr_assert_neq(mpilens__threads, own);
    cr_assert_null(request_owner(0xac000002));
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    end_mpi();
}

/* Completes what another thread has started. */
static void complete_all_of_another(void)
{
    complete_all();
    for (int i = 0; i < REQUESTS; i += 50)
        MPI_Waitall(50, &requests[i], MPI_STATUSES_IGNORE);
    cr_assert_eq(shadow_live_operations(), 0);
}

Test(request_owner, that_is_not_known_is_looked_for_everywhere)
{
    threads_set_multiple(false);
    run(start_all, &(MPI_Request){0});
    cr_assert_null(request_owner((uint64_t)(uint32_t)requests[0]));
    threads_set_multiple(true);
    complete_all_of_another();
    end_mpi();
}

Test(request_owner, that_is_wrong_is_no_harm)
{
    run(start_all, &(MPI_Request){0});
    for (int i = 0; i < REQUESTS; i++)
        request_owner_note((uint64_t)(uint32_t)requests[i], thread_if_known()->published.index);
    complete_all_of_another();
    end_mpi();
}
