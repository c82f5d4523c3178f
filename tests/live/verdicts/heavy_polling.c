/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 polls by MPI_Test and rank 2 by MPI_Iprobe, as fast as they can, for messages of rank 0, which computes.
 *
 * EXPECT none
 * RANKS 3
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    int there = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 2, 2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Request request;
        MPI_Irecv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        while (!there) {
            MPI_Test(&request, &there, MPI_STATUS_IGNORE);
        }
    } else {
        while (!there) {
            MPI_Iprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
