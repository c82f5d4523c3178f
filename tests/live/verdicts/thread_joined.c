/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread of rank 0 is not in MPI: it joins a thread that receives from rank 1, which has gone to the barrier.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines recv,barrier
 * RANKS 2
 * WITHOUT boxes
 * CHECK openmpi
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>

static void *receive(void *value)
{
    MPI_Recv(value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int value = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, receive, &value);
        pthread_join(thread, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
