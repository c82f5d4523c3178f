/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Values go around a ring; rank 2 counts one step less than the others and finalizes.
 *
 * EXPECT waiting-for-rank ranks 2,3 culprits 2 lines sendrecv
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { steps = 10 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank == 2 ? 1 : 0;
    double given = rank;
    double taken;
    for (int step = first; step < steps; step++) {
        MPI_Sendrecv(&given, 1, MPI_DOUBLE, (rank + 1) % size, 3, &taken, 1, MPI_DOUBLE, /* LINE(sendrecv) */
                     (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        given = taken;
    }
    MPI_Finalize();
    return 0;
}
