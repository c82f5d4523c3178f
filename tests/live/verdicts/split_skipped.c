/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 3 belongs to no team and leaves out MPI_Comm_split, which is for all.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 3 lines split,barrier
 * RANKS 4
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm team = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 3) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &team); /* LINE(split) */
        MPI_Comm_free(&team);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
