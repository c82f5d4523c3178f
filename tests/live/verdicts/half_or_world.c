/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Odd and even ranks have communicators of their own. Rank 3 expects a message of number 0 of the odd ranks, which is
 * rank 1; it was rank 0 that has sent one, on MPI_COMM_WORLD.
 *
 * EXPECT communicator-mismatch ranks 0,3 culprits 0,3 lines send,receive
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 3, 5, MPI_COMM_WORLD); /* LINE(send) */
    }
    if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 0, 5, half, MPI_STATUS_IGNORE); /* LINE(receive) */
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
