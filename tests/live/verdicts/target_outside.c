/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 spins on its own memory and does not enter MPI; the operation that would set it needs its library.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 0 lines spin,access|flush
 * SAYS call MPI from time to time
 * RANKS 2
 * WITHOUT boxes
 * OPTIONS --patience 1
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

static int memory[1024];

static void wait_for_signal(void)
{
    const volatile int *flag = memory;
    tell("outside");
    while (*flag == 0) { /* LINE(spin) */
    }
}

int main(int argc, char **argv)
{
    int rank, old;
    const int one = 1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        wait_for_signal();
    } else {
        while (!was_told("outside")) { /* else the barrier serves it */
        }
        MPI_Fetch_and_op(&one, &old, MPI_INT, 0, 0, MPI_SUM, window); /* LINE(access) */
        MPI_Win_flush(0, window);                                     /* LINE(flush) */
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
