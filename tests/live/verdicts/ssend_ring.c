/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring in which everyone sends synchronously before receiving.
 *
 * EXPECT deadlock ranks 0-7 culprits 0-7 lines ssend
 * RANKS 8
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    double given = 1;
    double taken;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Ssend(&given, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD); /* LINE(ssend) */
    MPI_Recv(&taken, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
