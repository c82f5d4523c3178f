/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two rows have a barrier each, then all have one. Rank 3 leaves out its row's barrier: the history of the other row
 * tells which one comes first.
 *
 * EXPECT collective-missing ranks 1,3 culprits 3 lines row,all
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm row, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &row);
    if (rank != 3)
        MPI_Barrier(row); /* LINE(row) */
    MPI_Barrier(all);     /* LINE(all) */
    MPI_Comm_free(&row);
    MPI_Comm_free(&all);
    MPI_Finalize();
    return 0;
}
