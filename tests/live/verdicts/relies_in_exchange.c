/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 receives what rank 0 exchanges with it only after a barrier that rank 0 comes to after the exchange.
 *
 * EXPECT deadlock|collective-missing ranks 0,1 culprits 0,1 lines exchange,barrier
 * SAYS relies on MPI buffering the message: --synchronous has made that visible
 * RANKS 2
 * START --synchronous
 * CHECK mpich
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, taken = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Sendrecv(&rank, 1, MPI_INT, 1, 0, &taken, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, /* LINE(exchange) */
                     MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        printf("received %d\n", taken);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
        MPI_Recv(&taken, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
