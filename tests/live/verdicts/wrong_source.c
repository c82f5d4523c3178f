/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 forwards to rank 2, which takes the message for one of rank 0.
 *
 * EXPECT source-mismatch ranks 1,2 culprits 1,2 lines forward,recv
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[8] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(values, 8, MPI_INT, 1, 6, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(values, 8, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(values, 8, MPI_INT, 2, 6, MPI_COMM_WORLD); /* LINE(forward) */
    } else {
        MPI_Recv(values, 8, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
