/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 3 takes the branch without the first barrier and waits in the barrier for its half of the ranks.
 *
 * EXPECT collective-missing ranks 0-3 culprits 3 lines all,half
 * RANKS 4
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Comm_set_name(half, "half");
    if (rank < 3) {
        MPI_Barrier(MPI_COMM_WORLD); /* LINE(all) */
    }
    MPI_Barrier(half); /* LINE(half) */
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
