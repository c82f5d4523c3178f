/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 leaves the window to the end of the program and goes to the barrier; the others free it before.
 *
 * EXPECT collective-missing ranks 0-3 culprits 2 lines free,barrier
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    int memory[2] = {0};
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 1, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (rank != 2) {
        MPI_Win_free(&window); /* LINE(free) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    if (rank == 2) {
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    return 0;
}
