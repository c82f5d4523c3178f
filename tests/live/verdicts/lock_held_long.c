/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 holds an exclusive lock of its memory while it computes; the others want it.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int one = 1;
    int *counter;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Win_unlock(0, window);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
