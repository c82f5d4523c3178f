/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 3 comes by another branch, in which the barrier and the sum stand in the other order.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 3 lines barrier,sum
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

static double synchronize_and_sum(double mine)
{
    double sum;
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

static double sum_and_synchronize(double mine)
{
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* LINE(sum) */
    MPI_Barrier(MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double mine = rank;
    double sum = mine < 3 ? synchronize_and_sum(mine) : sum_and_synchronize(mine);
    MPI_Finalize();
    return sum < 0;
}
