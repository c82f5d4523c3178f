/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two windows, each with its fences; rank 1 ends the epoch of the other one first.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines first,second
 * RANKS 2
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 1;
    int *memory[2];
    MPI_Win windows[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory[i], &windows[i]);
        MPI_Win_fence(0, windows[i]);
        MPI_Put(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, windows[i]);
    }
    if (rank == 0) {
        MPI_Win_fence(0, windows[0]); /* LINE(first) */
        MPI_Win_fence(0, windows[1]);
    } else {
        MPI_Win_fence(0, windows[1]); /* LINE(second) */
        MPI_Win_fence(0, windows[0]);
    }
    MPI_Win_free(&windows[0]);
    MPI_Win_free(&windows[1]);
    MPI_Finalize();
    return 0;
}
