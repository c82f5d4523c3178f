/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An exchange on a chain of ranks, from which rank 2 stays away: it is in the barrier already. Rank 0 has exchanged
 * with rank 1 and is also there.
 *
 * EXPECT collective-missing ranks 1-3 culprits 2 lines wait,barrier
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    const int ends[] = {1, 3, 5, 6};
    const int neighbours[] = {1, 0, 2, 1, 3, 2};
    int rank;
    double given[2] = {0};
    double taken[2];
    MPI_Comm chain;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Graph_create(MPI_COMM_WORLD, 4, ends, neighbours, 0, &chain);
    if (rank != 2) {
        MPI_Ineighbor_alltoall(given, 1, MPI_DOUBLE, taken, 1, MPI_DOUBLE, chain, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
