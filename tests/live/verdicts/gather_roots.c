/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Everyone should gather at rank 0, but rank 2 has read another root from its input.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 2 lines gather
 * RANKS 4
 * CHECK mpich, parts
 */
#include <mpi.h>

static const int roots[] = {0, 0, 2, 0};

int main(int argc, char **argv)
{
    int rank;
    int values[4] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(&rank, 1, MPI_INT, values, 1, MPI_INT, roots[rank], MPI_COMM_WORLD); /* LINE(gather) */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
