/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records in threads' caches: an ended record is in none of them, and ending it costs the same whatever the number of
 * threads.
 */
#include "constructors.h"
#include "inside.h"

#include "thread/thread.h"

#include <criterion/criterion.h>

#include <pthread.h>

TestSuite(cache_users, .init = begin_mpi_multiple);

enum { THREADS = 20, ROUNDS = 10 };

static const MPI_Comm duplicate = (MPI_Comm)0x84000300;

static char buffer[64];
static pthread_barrier_t all_are_known, may_end;

static void use_communicators(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm communicator = duplicate_as(MPI_COMM_WORLD, duplicate);
        MPI_Send(buffer, 1, MPI_INT, 2, 0, communicator);
        MPI_Comm_free(&communicator);
    }
}

static void *be_known(void *unused)
{
    (void)unused;
    MPI_Send(buffer, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    pthread_barrier_wait(&all_are_known);
    pthread_barrier_wait(&may_end);
    return NULL;
}

Test(cache_users, cost_nothing_where_they_do_not_use_it)
{
    pthread_t threads[THREADS];
    use_communicators();
    pthread_barrier_init(&all_are_known, NULL, THREADS + 1);
    pthread_barrier_init(&may_end, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, be_known, NULL), 0);
    pthread_barrier_wait(&all_are_known);
    cr_assert_eq(shadow_count(MPILENS_TABLE_THREADS, 0), THREADS + 1);
    /* Makes a walk through all threads crash. */
    struct thread *second = mpilens__threads->next;
    mpilens__threads->next = (struct thread *)1;
    use_communicators();
    mpilens__threads->next = second;
    pthread_barrier_wait(&may_end);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    cr_assert_eq(shadow_live_operations(), 0);
}

static MPI_Comm shared_communicator;

/* Twice, on what may be another communicator with the same handle. */
static void *send_twice(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        MPI_Send(buffer, 1, MPI_INT, 2, 0, shared_communicator);
        MPI_Barrier(shared_communicator);
        pthread_barrier_wait(&all_are_known);
        pthread_barrier_wait(&may_end);
    }
    return NULL;
}

Test(cache_users, of_other_threads_learn_that_it_is_over)
{
    pthread_t thread;
    pthread_barrier_init(&all_are_known, NULL, 2);
    pthread_barrier_init(&may_end, NULL, 2);
    shared_communicator = duplicate_as(MPI_COMM_WORLD, duplicate);
    cr_assert_eq(pthread_create(&thread, NULL, send_twice, NULL), 0);
    pthread_barrier_wait(&all_are_known);
    MPI_Send(buffer, 1, MPI_INT, 2, 0, shared_communicator);
    cr_assert_eq(shadow_sent(shared_communicator, 2), 2);
    MPI_Comm_free(&shared_communicator);
    shared_communicator = duplicate_as(MPI_COMM_WORLD, duplicate);
    pthread_barrier_wait(&may_end);
    pthread_barrier_wait(&all_are_known);
    cr_assert_eq(shadow_sent(shared_communicator, 2), 1);
    cr_assert_eq(shadow_communicator(shared_communicator)->collective_count, 1);
    pthread_barrier_wait(&may_end);
    pthread_join(thread, NULL);
    MPI_Comm_free(&shared_communicator);
    end_mpi();
}
