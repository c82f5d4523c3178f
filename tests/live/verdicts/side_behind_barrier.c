/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 4 is in a barrier with rank 0, which comes to that only behind MPI_Intercomm_create: there all of its side have
 * come and wait for the other side, of which rank 4 is.
 *
 * EXPECT collective-missing ranks 0-4 culprits 4 lines barrier,create
 * SAYS for rank 4, which is in MPI_Barrier
 * RANKS 5
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm side, pair, between;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 3, rank, &side);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == 4 ? 1 : MPI_UNDEFINED, rank, &pair);
    if (rank == 4)
        MPI_Barrier(pair);                                                        /* LINE(barrier) */
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank < 3 ? 3 : 0, 5, &between); /* LINE(create) */
    if (rank == 0)
        MPI_Barrier(pair);
    MPI_Finalize();
    return 0;
}
