/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Empty blocks are not sent: every third one here, and rank 2 does not know it of one. Either end may be wrong.
 *
 * EXPECT no-match ranks 2 culprits 0,2 lines receive
 * SAYS or have rank 2 skip that tag, too
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { blocks = 20, forgotten = 12 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int block = 1; block <= blocks; block++) {
        if (rank == 0 && block % 3 != 0)
            for (int worker = 1; worker < 4; worker++)
                MPI_Send(&value, 1, MPI_INT, worker, block, MPI_COMM_WORLD);
        if (rank > 0 && (block % 3 != 0 || (rank == 2 && block == forgotten))) {
            MPI_Recv(&value, 1, MPI_INT, 0, block, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
