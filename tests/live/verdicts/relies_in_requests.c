/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of small sends, one of them persistent, that are waited for before the receives; rank 2 exchanges with rank
 * 0, which receives from it only after that.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines wait,persistent
 * SAYS relies on MPI buffering the message: --synchronous has made that visible
 * RANKS 3
 * START --synchronous
 * CHECK openmpi
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, taken = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
        MPI_Recv(&taken, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&rank, 1, MPI_INT, 2, 0, &taken, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("received %d\n", taken);
    } else if (rank == 1) {
        MPI_Send_init(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(persistent) */
        MPI_Recv(&taken, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    } else {
        MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &taken, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
