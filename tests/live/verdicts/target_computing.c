/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks 0 and 1 lock the memory of rank 2, one after the other, and rank 2 computes: MPI may let them wait for it.
 *
 * EXPECT none
 * RANKS 3
 * CHECK openmpi
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
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2) {
        while (!told_to_end()) {
            compute(10);
        }
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window);
        MPI_Accumulate(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_flush(2, window);
        MPI_Win_unlock(2, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
