/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 makes a barrier of its own. The root of the broadcasts and rank 1 are far ahead by then and have forgotten
 * that call, but know that they made fewer barriers.
 *
 * EXPECT collective-mismatch ranks 0-2 culprits 2 lines barrier,sum
 * SAYS ranks [0,1] have made 62 calls there, but only 1 of that kind
 * RANKS 3
 * CHECK mpich
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
        MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 2 && i == 10)
            MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    }
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* LINE(sum) */
    MPI_Finalize();
    return 0;
}
