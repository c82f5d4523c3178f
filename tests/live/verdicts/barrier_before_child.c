/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 makes a barrier of its own. Rank 3, which MPICH gives the broadcasts through rank 2, waits there: one against
 * one, but ranks 0 and 1 know that they made fewer barriers.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 2 lines barrier,broadcast
 * RANKS 4
 * CHECK mpich
 * ONLY mpich
 */
#include <mpi.h>

enum { rounds = 60 };

int main(int argc, char **argv)
{
    int rank, value = 0, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < rounds; i++) {
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD); /* LINE(broadcast) */
        if (rank == 2 && i == 10)
            MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
