/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 makes one fence less and frees the window, with which MPI takes the last fence of the others for met. It has
 * made and freed many others since.
 *
 * EXPECT collective-missing ranks 0-2 culprits 0 lines free,barrier
 * SAYS rank 0, which has freed it after 6 collective calls by MPI_Win_free
 * RANKS 3
 * CHECK mpich
 * ONLY mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int memory[4] = {0};
    MPI_Win window, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < (rank == 0 ? 6 : 7); i++)
        MPI_Win_fence(0, window);
    MPI_Win_free(&window); /* LINE(free) */
    for (int i = 0; i < 150; i++) {
        MPI_Win_create(memory, sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &own);
        MPI_Win_free(&own);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
