/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 hands out the pieces by hand and forgets the last rank, then collects in order.
 *
 * EXPECT deadlock ranks 0,3 culprits 0,3 lines collect,piece
 * RANKS 4
 * CHECK openmpi, parts
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    double piece[32] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int other = 1; other < size - 1; other++) {
            MPI_Send(piece, 32, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
        }
        for (int other = 1; other < size; other++) {
            MPI_Recv(piece, 32, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(collect) */
        }
    } else {
        MPI_Recv(piece, 32, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(piece) */
        MPI_Send(piece, 32, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
