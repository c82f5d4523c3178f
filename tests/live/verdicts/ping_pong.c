/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fast ping-pong: whenever one looks, both are in the same calls as before.
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
    int ball = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (ball == 0) {
        if (rank == 0) {
            ball = told_to_end();
            MPI_Send(&ball, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(&ball, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&ball, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&ball, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
