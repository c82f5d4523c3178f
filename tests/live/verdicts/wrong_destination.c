/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 sends to rank 3 what rank 2 waits for, and goes to the barrier.
 *
 * EXPECT deadlock ranks 1,2 culprits 1,2 lines recv,barrier,send
 * RANKS 4
 * CHECK mpich, parts
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 1;
    int next[4] = {1, 3, 3, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, next[rank], 8, MPI_COMM_WORLD); /* LINE(send) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
