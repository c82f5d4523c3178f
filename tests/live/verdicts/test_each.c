/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 tests two receives one after the other until both are complete. One of them is; rank 2 has gone to the barrier
 * without sending the message of the other.
 *
 * EXPECT deadlock ranks 0-2 culprits 2 lines test,barrier
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[2] = {0};
    int done[2] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request requests[2];
        MPI_Irecv(&values[0], 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, 2, 4, MPI_COMM_WORLD, &requests[1]);
        while (!done[0] || !done[1]) {
            for (int i = 0; i < 2; i++) {
                MPI_Test(&requests[i], &done[i], MPI_STATUS_IGNORE); /* LINE(test) */
            }
        }
    } else if (rank == 1) {
        MPI_Send(values, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
