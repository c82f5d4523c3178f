/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 makes the communicator of a group with another tag.
 *
 * EXPECT collective-mismatch ranks 0-2 culprits 1 lines create
 * SAYS with different tags: rank 1 is in MPI_Comm_create_group(ranks [0-2], tag 8, MPI_COMM_WORLD)
 * SAYS ranks [0,2] are in MPI_Comm_create_group(ranks [0-2], tag 7, MPI_COMM_WORLD)
 * RANKS 4
 * CHECK mpich
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
    if (rank < 3)
        MPI_Comm_create_group(MPI_COMM_WORLD, first, rank == 1 ? 8 : 7, &made); /* LINE(create) */
    MPI_Finalize();
    return 0;
}
