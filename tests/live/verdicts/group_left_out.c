/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2, a member of the group, does not make the communicator.
 *
 * EXPECT waiting-for-rank ranks 0-2 culprits 2 lines create,finalize
 * SAYS call MPI_Comm_create_group on rank 2 as well, with the same group and tag
 * SAYS ranks [0,1] wait in MPI_Comm_create_group(ranks [0-2], tag 7, MPI_COMM_WORLD)
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Group all, first;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 3, (int[]){0, 1, 2}, &first);
    if (rank < 2)
        MPI_Comm_create_group(MPI_COMM_WORLD, first, 7, &made); /* LINE(create) */
    MPI_Finalize();                                             /* LINE(finalize) */
    return 0;
}
