/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 keeps an exclusive lock of rank 2's counter and waits for a message of rank 1, which wants the same lock.
 *
 * EXPECT lock-wait ranks 0,1 culprits 0 lines wanted|put|unlock
 * RANKS 3
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 1;
    int *counter;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *counter, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window); /* LINE(held) */
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_flush(2, window);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock(2, window);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window);        /* LINE(wanted) */
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, window); /* LINE(put) */
        MPI_Win_unlock(2, window);                             /* LINE(unlock) */
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
