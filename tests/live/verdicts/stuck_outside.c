/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Newton's iteration of rank 2 never converges; the others have waited in the reduction for longer than the patience.
 *
 * EXPECT waiting-for-rank ranks 0-3 culprits 2 lines newton|residual,reduce
 * RANKS 4
 * WITHOUT boxes
 * OPTIONS --patience 1
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>

static volatile double guess = 1;

static double solve(double square)
{
    while (guess * guess != square) {         /* LINE(residual) */
        guess = (guess + square / guess) / 2; /* LINE(newton) */
    }
    return guess;
}

int main(int argc, char **argv)
{
    int rank;
    double sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double root = solve(rank == 2 ? -1 : 1);
    MPI_Allreduce(&root, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* LINE(reduce) */
    MPI_Finalize();
    return 0;
}
