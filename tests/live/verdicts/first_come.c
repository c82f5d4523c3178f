/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 takes a message of whoever comes first and then one of rank 0: that was the one which came first.
 *
 * EXPECT no-match ranks 0,1 culprits 1 lines any,named,second
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(any) */
        MPI_Send(&value, 1, MPI_INT, 2, 6, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(named) */
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD); /* LINE(second) */
    }
    MPI_Finalize();
    return 0;
}
