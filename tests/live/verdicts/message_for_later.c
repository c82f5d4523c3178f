/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 waits for tag 1 while a message with tag 2 lies there: it is for later, and rank 0 still computes what belongs
 * to tag 1.
 *
 * EXPECT none
 * WITHOUT synchronous
 * RANKS 2
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double header = 0;
    double body = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&body, 1, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Send(&header, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&header, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&body, 1, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
