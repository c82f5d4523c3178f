/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests around a ring of three: the sends are started after the receives are waited for.
 *
 * EXPECT deadlock ranks 0-2 culprits 0-2 lines receive
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    int given[4] = {0};
    int taken[4];
    MPI_Request send;
    MPI_Request receive;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send_init(given, 4, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &send);
    MPI_Recv_init(taken, 4, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, &receive);
    MPI_Start(&receive); /* LINE(receive) */
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Start(&send);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Request_free(&send);
    MPI_Request_free(&receive);
    MPI_Finalize();
    return 0;
}
