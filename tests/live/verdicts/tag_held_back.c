/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 sends its blocks to rank 0 as they are ready: block 6 needs what rank 2 gives, which waits for rank 0, which
 * waits for block 6. Nothing was left out.
 *
 * EXPECT deadlock ranks 0-2 culprits 0-2 lines block,given,wanted
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { blocks = 9, held_back = 6 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int block = 1; rank < 2 && block <= blocks; block++) {
        if (rank == 0)
            MPI_Recv(&value, 1, MPI_INT, 1, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(block) */
        else if (block != held_back)
            MPI_Send(&value, 1, MPI_INT, 0, block, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(given) */
        MPI_Send(&value, 1, MPI_INT, 0, held_back, MPI_COMM_WORLD);
    }
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wanted) */
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
