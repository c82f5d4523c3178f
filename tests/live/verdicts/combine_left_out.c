/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums along a tree, as the BLACS make them: each rank takes what comes, from anyone, under the number of the sum as
 * the tag. Rank 3 leaves out its part of the sixth sum.
 *
 * EXPECT deadlock ranks 0-3 culprits 3 lines take,give,share
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

static double take(int number)
{
    double value;
    MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, number, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(take) */
    return value;
}

static void give(double value, int to, int number)
{
    MPI_Send(&value, 1, MPI_DOUBLE, to, number, MPI_COMM_WORLD); /* LINE(give) */
}

static double sum(double value, int rank, int number)
{
    if (rank % 2 == 1) {
        if (rank != 3 || number != 6) {
            give(value, rank - 1, number);
        }
    } else {
        value += take(number);
        if (rank == 2) {
            give(value, 0, number);
        } else {
            value += take(number);
        }
    }
    return value;
}

int main(int argc, char **argv)
{
    int rank;
    double value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int number = 1; number <= 10; number++) {
        value = sum(value, rank, number);
        MPI_Bcast(&value, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); /* LINE(share) */
    }
    MPI_Finalize();
    return 0;
}
