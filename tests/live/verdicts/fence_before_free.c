/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 ends an epoch that the others do not have: their MPI_Win_free lets its fence end, and they have left the
 * window when it frees it.
 *
 * EXPECT collective-mismatch ranks 0-2 culprits 0 lines fence,free
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int memory = 0;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Win_fence(0, window); /* LINE(fence) */
    }
    MPI_Win_free(&window); /* LINE(free) */
    MPI_Finalize();
    return 0;
}
