/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks accept a connection from the other two; rank 1 names another root.
 *
 * EXPECT collective-mismatch ranks 0,1 culprits 0,1 lines accept
 * SAYS MPI_Comm_accept with root 1
 * RANKS 4
 * OPTIONS --patience 1
 * CHECK openmpi
 * ONLY openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm side, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &side);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank < 2)
        MPI_Comm_accept(port, MPI_INFO_NULL, rank, side, &other); /* LINE(accept) */
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, side, &other);
    MPI_Finalize();
    return 0;
}
