/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A coordinator that waits for a message of any of its two helpers, and both wait for it.
 *
 * EXPECT deadlock ranks 0-2 culprits 0-2 lines helper
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[2] = {0};
    int which;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int helper = 0; helper < 2; helper++) {
            MPI_Irecv(&values[helper], 1, MPI_INT, helper + 1, 1, MPI_COMM_WORLD, &requests[helper]);
        }
        for (int number = 0; number < 2; number++) {
            MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
            MPI_Send(&values[which], 1, MPI_INT, which + 1, 2, MPI_COMM_WORLD);
        }
    } else {
        MPI_Recv(values, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(helper) */
        MPI_Send(values, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
