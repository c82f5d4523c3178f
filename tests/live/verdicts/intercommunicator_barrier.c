/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A barrier of an intercommunicator from which rank 3, of the second group, stays away: it finalizes.
 *
 * EXPECT collective-missing ranks 0-3 culprits 3 lines barrier
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;
    MPI_Comm both;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 1, &both);
    if (rank != 3) {
        MPI_Barrier(both); /* LINE(barrier) */
    }
    MPI_Finalize();
    return 0;
}
