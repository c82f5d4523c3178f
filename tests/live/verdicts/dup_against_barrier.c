/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A library duplicates the communicator that it is given; rank 2 has nothing to solve and goes straight to the barrier.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 2 lines duplicate,barrier
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

static void solve(MPI_Comm communicator)
{
    MPI_Comm own;
    MPI_Comm_dup(communicator, &own); /* LINE(duplicate) */
    MPI_Barrier(own);
    MPI_Comm_free(&own);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 2) {
        solve(MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
