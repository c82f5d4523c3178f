/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nobody is in MPI: all compute for long between two reductions, with messages under way that will be received later.
 *
 * EXPECT none
 * WITHOUT synchronous
 * RANKS 4
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    double mine = 1;
    double theirs;
    double sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Send(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 1, MPI_COMM_WORLD);
    while (!told_to_end()) {
        compute(10);
    }
    MPI_Recv(&theirs, 1, MPI_DOUBLE, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&theirs, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != size;
}
