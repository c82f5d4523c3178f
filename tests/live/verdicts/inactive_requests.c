/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests that nobody has started, a receive that will be cancelled, one from MPI_PROC_NULL, one from the
 * rank itself; rank 0 computes and rank 1 waits for it.
 *
 * EXPECT none
 * RANKS 2
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[5] = {0};
    MPI_Request inactive;
    MPI_Request cancelled;
    MPI_Request self;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv_init(&values[0], 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, &inactive);
    MPI_Irecv(&values[1], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &cancelled);
    MPI_Irecv(&values[2], 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &self);
    MPI_Recv(&values[3], 1, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Send(&rank, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&values[4], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Send(&rank, 1, MPI_INT, rank, 3, MPI_COMM_WORLD);
    MPI_Wait(&self, MPI_STATUS_IGNORE);
    MPI_Cancel(&cancelled);
    MPI_Wait(&cancelled, MPI_STATUS_IGNORE);
    MPI_Request_free(&inactive);
    MPI_Finalize();
    return 0;
}
