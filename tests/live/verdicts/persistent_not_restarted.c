/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 starts its persistent receive once, before the loop in which it waits for it: from the second time on it waits
 * for nothing.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines send,receive,barrier
 * RANKS 2
 * CHECK openmpi
 */
#include <mpi.h>

enum { steps = 3 };

int main(int argc, char **argv)
{
    int rank;
    double value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int step = 0; step < steps; step++)
            MPI_Ssend(&value, 1, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD); /* LINE(send) */
    } else {
        MPI_Request request;
        MPI_Recv_init(&value, 1, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, &request); /* LINE(receive) */
        MPI_Start(&request);
        for (int step = 0; step < steps; step++)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
