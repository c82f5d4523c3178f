/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 takes the grid to be open where the others take it for a ring: it sends to nobody over its edge. All but rank
 * 3 have ended.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 1 lines grid
 * SAYS with dims 2 2, periods 0 1, reorder 0
 * SAYS where the others call it with dims 2 2, periods 1 1, reorder 0
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, from, to;
    int value = 1, other = 0;
    MPI_Comm grid;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){rank != 1, 1}, 0, &grid); /* LINE(grid) */
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(&value, 1, MPI_INT, from, 0, &other, 1, MPI_INT, to, 0, grid, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
