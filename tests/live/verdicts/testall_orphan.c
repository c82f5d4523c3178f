/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 polls for two messages by MPI_Testall; rank 2 has gone to the barrier without sending its one.
 *
 * EXPECT deadlock ranks 0-2 culprits 2 lines barrier
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[2] = {0};
    int done = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 4, MPI_COMM_WORLD, &requests[1]);
        while (!done) {
            MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
        }
    } else if (rank == 1) {
        MPI_Send(values, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
