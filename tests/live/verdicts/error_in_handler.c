/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The message for rank 1 is too long. Its error handler waits for a debugger, and so never returns.
 *
 * EXPECT mpi-error ranks 0,1 culprits 1 lines receive
 * SAYS rank 1's MPI_Recv(250 x MPI_INT (1000 bytes) <- 0, tag 3, MPI_COMM_WORLD)
 * SAYS failed with MPI_ERR_TRUNCATE
 * SAYS it has room for 1000 bytes and got a message of 1200, 200 too many, sent by rank 0's MPI_Send
 * RANKS 2
 * WITHOUT boxes
 * CHECK mpich openmpi
 */
#include "program.h"

#include <mpi.h>

enum { sent = 300, wanted = 250, tag = 3 };

int main(int argc, char **argv)
{
    int rank;
    int values[sent] = {0};
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(never_return, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (rank == 0)
        MPI_Send(values, sent, MPI_INT, 1, tag, MPI_COMM_WORLD); /* LINE(send) */
    else
        MPI_Recv(values, wanted, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
