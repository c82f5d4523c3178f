/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 sends sizes in two numbers, then blocks of bytes. Rank 1 waits for sizes that rank 2 has sent, as if they were
 * of rank 0, whose first block lies there already: of the same length, but of other elements.
 *
 * EXPECT source-mismatch ranks 1,2 culprits 1,2 lines sizes,receive
 * RANKS 3
 * CHECK mpich openmpi
 */
#include <mpi.h>

enum { tag_sizes = 17, tag_block = 1000 };

int main(int argc, char **argv)
{
    int rank;
    long long sizes[2] = {1, 2};
    char block[16] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(block, 16, MPI_BYTE, 1, tag_block, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Send(sizes, 2, MPI_LONG_LONG_INT, 1, tag_sizes, MPI_COMM_WORLD); /* LINE(sizes) */
    } else {
        MPI_Recv(sizes, 2, MPI_LONG_LONG_INT, 0, tag_sizes, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
        MPI_Recv(block, 16, MPI_BYTE, 0, tag_block, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
