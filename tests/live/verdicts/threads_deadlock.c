/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Both threads of rank 0 wait for rank 1, each for its own message, and rank 1 waits for rank 0.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines back
 * RANKS 2
 * CHECK mpich
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>

static void *receive(void *tag)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, 1, *(int *)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int value = 0;
    int tags[2] = {1, 2};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, receive, &tags[1]);
        receive(&tags[0]);
        pthread_join(thread, NULL);
        MPI_Send(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(back) */
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
