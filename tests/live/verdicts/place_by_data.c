/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 chooses by its data alone at which of two lines it makes each sum, and is in step with the others; the last
 * sum is left out by rank 3.
 *
 * EXPECT collective-missing ranks 0-3 culprits 3 lines last,finalize
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { STEPS = 200 };

static int is_large(int step)
{
    return (unsigned)step * 2654435761u >> 31;
}

int main(int argc, char **argv)
{
    int rank, value = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < STEPS; i++) {
        if (rank == 1 && is_large(i))
            MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Allreduce(&sum, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank != 3)
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* LINE(last) */
    MPI_Finalize();                                                       /* LINE(finalize) */
    return 0;
}
