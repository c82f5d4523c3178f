/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 leaves out one of the solver's sums, which only the root notices: it waits there, the others, rank 1 with
 * them, for its broadcast in the next step. As many have come to either call; those that made both made the sum first.
 *
 * EXPECT collective-missing ranks 0,1 culprits 1 lines sum,step
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, sum = 0;
    MPI_Comm solver, steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &solver);
    MPI_Comm_dup(MPI_COMM_WORLD, &steps);
    for (int i = 0; i < 20; i++) {
        if (rank != 1 || i != 12)
            MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, solver); /* LINE(sum) */
        MPI_Bcast(&value, 1, MPI_INT, 0, steps);                      /* LINE(step) */
        MPI_Barrier(steps);
    }
    MPI_Comm_free(&solver);
    MPI_Comm_free(&steps);
    MPI_Finalize();
    return 0;
}
