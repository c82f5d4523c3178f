/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 has nothing to put in the last step and leaves the loop without the fence that ends it.
 *
 * EXPECT window-wait ranks 0-2 culprits 1 lines fence,barrier
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

enum { steps = 3 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    double memory[2] = {0};
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    for (int step = 0; step < steps; step++) {
        if (rank == 1 && step == steps - 1) {
            break;
        }
        double value = step;
        MPI_Put(&value, 1, MPI_DOUBLE, (rank + 1) % size, 1, 1, MPI_DOUBLE, window);
        MPI_Win_fence(0, window); /* LINE(fence) */
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
