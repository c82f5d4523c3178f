/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A server and a client in one job: the port should reach the client by a message, but rank 1 waits for it with the
 * wrong direction in mind and never connects.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines accept,port
 * RANKS 2
 * OPTIONS --patience 2
 * ONLY openmpi
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm connection;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &connection); /* LINE(accept) */
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(port) */
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &connection);
    }
    MPI_Comm_disconnect(&connection);
    MPI_Finalize();
    return 0;
}
