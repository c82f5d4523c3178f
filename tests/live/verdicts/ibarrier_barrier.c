/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Three ranks begin a nonblocking barrier, rank 2 enters a blocking one: they do not match.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 2 lines ibarrier,barrier
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    } else {
        MPI_Ibarrier(MPI_COMM_WORLD, &request); /* LINE(ibarrier) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
