/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks send to each other first and receive afterwards: small messages, which every MPI buffers.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines send
 * SAYS MPI_Send(1 x MPI_INT
 * SAYS relies on MPI buffering the message: --synchronous has made that visible
 * RANKS 2
 * START --synchronous
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, taken;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD); /* LINE(send) */
    MPI_Recv(&taken, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("received %d\n", taken);
    MPI_Finalize();
    return 0;
}
