/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 never comes to the barrier: two of its threads each lock a mutex and want the other's, and the main thread
 * joins them.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 1 lines barrier,join,second
 * SAYS ; it cannot go on: its thread
 * SAYS for a mutex of thread
 * RANKS 2
 * WITHOUT boxes
 * CHECK mpich
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t heat = PTHREAD_MUTEX_INITIALIZER, flow = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_have_one;

static void lock_two(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_barrier_wait(&both_have_one);
    pthread_mutex_lock(second); /* LINE(second) */
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *update_heat(void *unused)
{
    lock_two(&heat, &flow);
    return unused;
}

static void *update_flow(void *unused)
{
    lock_two(&flow, &heat);
    return unused;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        pthread_t threads[2];
        pthread_barrier_init(&both_have_one, NULL, 2);
        pthread_create(&threads[0], NULL, update_heat, NULL);
        pthread_create(&threads[1], NULL, update_flow, NULL);
        pthread_join(threads[0], NULL); /* LINE(join) */
        pthread_join(threads[1], NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
