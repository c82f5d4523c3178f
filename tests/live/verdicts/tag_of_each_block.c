/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every block has a tag of its own and comes from whoever owns it; rank 2 sends its block to rank 0 instead of rank 1.
 *
 * EXPECT no-match ranks 0-2 culprits 2 lines take,give
 * SAYS lies at rank 0
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

enum { first_block = 26, block_size = 84, done = 90 };

static void give(int receiver, int count, int block)
{
    double values[block_size] = {0};
    MPI_Send(values, count, MPI_DOUBLE, receiver, block, MPI_COMM_WORLD); /* LINE(give) */
}

static void take(int block)
{
    double values[block_size];
    MPI_Recv(values, block_size, MPI_DOUBLE, MPI_ANY_SOURCE, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(take) */
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        give(0, block_size, first_block);
    if (rank == 0) {
        give(1, 2, first_block + 1);
        give(1, 16, first_block + 2);
    }
    if (rank == 1) {
        for (int block = first_block; block < first_block + 3; block++)
            take(block);
        give(0, 1, done);
        give(2, 1, done);
    } else {
        take(done);
    }
    MPI_Finalize();
    return 0;
}
