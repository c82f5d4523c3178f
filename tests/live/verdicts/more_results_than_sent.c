/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 expects two results of each worker, from any of them; each sends one and ends.
 *
 * EXPECT waiting-for-rank ranks 0,1,2,3 culprits 1,2,3 lines receive
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { results = 2 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    double value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 0; i < results * (size - 1); i++) {
            MPI_Recv(&value, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
        }
    } else {
        MPI_Send(&value, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
