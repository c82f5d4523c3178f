/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 gathers large blocks by hand and forgets the last rank's.
 *
 * EXPECT deadlock ranks 0,2 culprits 0,2 lines send,barrier
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

enum { block = 1 << 20 };

static double values[block];

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int other = 1; other < size - 1; other++) {
            MPI_Recv(values, block, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(values, block, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD); /* LINE(send) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
