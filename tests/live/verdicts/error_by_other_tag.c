/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The length of a message has a wrong tag, so that rank 0 takes the message itself for it. Its error handler never
 * returns.
 *
 * EXPECT mpi-error ranks 0,1 culprits 0,1 lines length
 * SAYS failed with MPI_ERR_TRUNCATE
 * SAYS it has room for 4 bytes and got a message of 24, 20 too many, sent by rank 1's MPI_Send at error_by_other_tag.c:
 * SAYS a message of 4 bytes with tag 8, which rank 1 had sent before with MPI_Send at error_by_other_tag.c:
 * SAYS use the same tag on both sides, 7 or 8, if that message was meant
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "program.h"

#include <mpi.h>

enum { most = 6, tag = 7 };

int main(int argc, char **argv)
{
    int rank, length = most;
    int values[most] = {0};
    MPI_Errhandler handler;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(never_return, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (rank == 0) {
        MPI_Recv(&length, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(length) */
        MPI_Recv(values, length, MPI_INT, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&length, 1, MPI_INT, 0, tag + 1, MPI_COMM_WORLD); /* LINE(sent) */
        MPI_Send(values, most, MPI_INT, 0, tag, MPI_COMM_WORLD);   /* LINE(values) */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
