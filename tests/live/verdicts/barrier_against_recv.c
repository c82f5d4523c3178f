/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 tells the parameters only after a barrier, but rank 1 asks for them before.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines barrier,recv
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double parameter = 0.5;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Recv(&parameter, 1, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    if (rank == 0) {
        MPI_Send(&parameter, 1, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
