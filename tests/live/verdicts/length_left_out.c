/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each message comes after its length. Rank 1 leaves out the eighth length, so that rank 0 takes the message itself for
 * it. Its error handler never returns.
 *
 * EXPECT mpi-error ranks 0,1 culprits 1 lines length
 * SAYS it has room for 4 bytes and got a message of 24, 20 too many, sent by rank 1's MPI_Send at length_left_out.c:
 * SAYS rank 1 has left out the message of 4 bytes that it sent with MPI_Send at length_left_out.c:
 * SAYS have rank 1 send rank 0 the 1 message that it left out
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "program.h"

#include <mpi.h>

enum { most = 6, tag = 7, messages = 10, message_with_fault = 7 };

int main(int argc, char **argv)
{
    int rank, length = most;
    int values[most] = {0};
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(never_return, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    for (int i = 0; i < messages; i++) {
        if (rank == 0) {
            MPI_Recv(&length, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(length) */
            MPI_Recv(values, length, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            if (i != message_with_fault)
                MPI_Send(&length, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
            MPI_Send(values, most, MPI_INT, 0, tag, MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
