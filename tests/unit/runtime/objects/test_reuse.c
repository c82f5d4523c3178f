/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles that the library uses again before the call that has let go of them returns.
 */
#include "inside.h"

#include <criterion/criterion.h>

#include <pthread.h>
#include <semaphore.h>

static char buffer[64];
static MPI_Request first, second;
static sem_t collected, go_on;

static void initialize(void)
{
    begin_mpi_multiple();
    sem_init(&collected, 0, 0);
    sem_init(&go_on, 0, 0);
    complete_all();
}

TestSuite(reuse, .init = initialize);

/* The library has collected the request, and the call has not returned. */
static void pause_inside(const struct fake_call *call)
{
    (void)call;
    sem_post(&collected);
    sem_wait(&go_on);
}

static void *collect_by_waitall(void *unused)
{
    (void)unused;
    fake.hook = pause_inside;
    MPI_Waitall(1, &first, MPI_STATUSES_IGNORE);
    return NULL;
}

static void *collect_by_wait(void *unused)
{
    (void)unused;
    fake.hook = pause_inside;
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    return NULL;
}

static void *begin_second(void *handle)
{
    fake.request = *(MPI_Request *)handle;
    MPI_Isend(buffer, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &second);
    return NULL;
}

static void run(void *(*function)(void *), void *argument)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, function, argument), 0);
    pthread_join(thread, NULL);
}

/* This thread has started `first`, another collects it, a third gets its handle and hands it to this one. */
static void among_three(void *(*collect)(void *), int kind)
{
    MPI_Isend(buffer, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &first);
    MPI_Request handle = first;
    pthread_t collector;
    cr_assert_eq(pthread_create(&collector, NULL, collect, NULL), 0);
    sem_wait(&collected);
    run(begin_second, &handle);
    cr_assert_eq(second, handle);
    if (kind == 0)
        MPI_Wait(&second, MPI_STATUS_IGNORE);
    else if (kind == 1)
        MPI_Waitall(1, &second, MPI_STATUSES_IGNORE);
    else {
        MPI_Wait(&second, MPI_STATUS_IGNORE);
        for (int i = 0; i < 1000; i++) { /* the first one's record is reused for a persistent request */
            MPI_Request other, persistent;
            MPI_Isend(buffer, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &other);
            MPI_Wait(&other, MPI_STATUS_IGNORE);
            MPI_Send_init(buffer, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, &persistent);
        }
    }
    sem_post(&go_on);
    pthread_join(collector, NULL);
    cr_assert_eq(shadow_live_operations(), 0, "kind %d", kind);
}

Test(reuse, among_three_threads_leaves_nothing)
{
    for (int kind = 0; kind < 3; kind++) {
        among_three(collect_by_waitall, kind);
        among_three(collect_by_wait, kind);
    }
}

/* The new request with the old handle is pending when the call that has collected the old one returns. */
static void into_pending(void *(*collect)(void *))
{
    MPI_Isend(buffer, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &first);
    MPI_Request handle = first;
    pthread_t collector;
    cr_assert_eq(pthread_create(&collector, NULL, collect, NULL), 0);
    sem_wait(&collected);
    run(begin_second, &handle);
    sem_post(&go_on);
    pthread_join(collector, NULL);
    cr_assert_eq(shadow_live_operations(), 1);
    cr_assert_eq(shadow_operation(MPILENS_OPERATION_PENDING, 0)->tag, 2, "the old one is over, not the new one");
    MPI_Wait(&second, MPI_STATUS_IGNORE);
}

Test(reuse, of_one_handle_leaves_the_new_request_pending)
{
    into_pending(collect_by_waitall);
    into_pending(collect_by_wait);
    end_mpi();
}

static void *make_persistent(void *handle)
{
    (void)handle;
    MPI_Recv_init(buffer, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &second);
    return NULL;
}

Test(reuse, of_one_handle_leaves_other_requests_alone)
{
    MPI_Isend(buffer, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &first);
    pthread_t collector;
    cr_assert_eq(pthread_create(&collector, NULL, collect_by_wait, NULL), 0);
    sem_wait(&collected);
    run(make_persistent, NULL);
    sem_post(&go_on);
    pthread_join(collector, NULL);
    cr_assert_eq(shadow_count(MPILENS_TABLE_OPERATIONS, MPILENS_OPERATION_PERSISTENT), 1);
    MPI_Request_free(&second);
    end_mpi();
}

static void *collect_one_of_the_same(void *unused)
{
    (void)unused;
    MPI_Wait(&first, MPI_STATUS_IGNORE);
    return NULL;
}

static void collect_meanwhile(const struct fake_call *call)
{
    (void)call;
    run(collect_one_of_the_same, NULL);
}

Test(reuse, of_a_handle_of_several_while_one_is_freed_leaves_nothing)
{
    for (int i = 0; i < 2; i++) {
        fake.request = FAKE_COMPLETE_REQUEST;
        MPI_Isend(buffer, 1, MPI_INT, 2, i, MPI_COMM_WORLD, i == 0 ? &first : &second);
    }
    fake.hook = collect_meanwhile;
    MPI_Request_free(&second);
    end_mpi();
}
