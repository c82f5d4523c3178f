/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 prepares for long, then hands out; all others wait for it, directly and through one another.
 *
 * EXPECT none
 * RANKS 4
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    double value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    while (rank == 0 && !told_to_end()) {
        compute(10);
    }
    if (rank > 0) {
        MPI_Recv(&value, 1, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank < size - 1) {
        MPI_Send(&value, 1, MPI_DOUBLE, rank + 1, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
