/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads of rank 0 give each other a turn by messages of the rank to itself, and both wait for theirs first.
 *
 * EXPECT no-match ranks 0 culprits 0 lines turn
 * RANKS 2
 * CHECK mpich
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static void *take_turn(void *own)
{
    int turn = 0;
    int tag = *(int *)own;
    MPI_Recv(&turn, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(turn) */
    MPI_Send(&turn, 1, MPI_INT, 0, 1 - tag, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int tags[2] = {0, 1};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t other;
        pthread_create(&other, NULL, take_turn, &tags[1]);
        take_turn(&tags[0]);
        pthread_join(other, NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
