/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 collects a result of each worker, in any order; rank 2 runs out of memory and ends without one. Rank 1 has
 * gone to the barrier.
 *
 * EXPECT waiting-for-rank ranks 0,2 culprits 2 lines collect
 * RANKS 3
 * LAUNCHER mpich -disable-auto-cleanup
 * LAUNCHER openmpi --enable-recovery
 * WITHOUT cores
 * CHECK mpich openmpi
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    int result = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        _exit(1);
    }
    if (rank == 0) {
        for (int i = 1; i < size; i++) {
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(collect) */
        }
    } else {
        MPI_Send(&result, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
