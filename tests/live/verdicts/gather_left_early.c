/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 leaves out a gather and finalizes. Ranks 1 and 3 have given what they had and wait for nobody there: it is
 * rank 0 alone that waits in the gather.
 *
 * EXPECT collective-missing ranks 0 culprits 2 lines gather,end
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2) {
        MPI_Gather(&rank, 1, MPI_INT, values, 1, MPI_INT, 0, MPI_COMM_WORLD); /* LINE(gather) */
    }
    MPI_Finalize(); /* LINE(end) */
    return 0;
}
