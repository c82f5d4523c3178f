/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks 0 and 1 each hold the exclusive lock of one of the ranks 2 and 3 and want the other's.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines second|flush
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

static void add(int target, int value, MPI_Win window)
{
    MPI_Accumulate(&value, 1, MPI_INT, target, 0, 1, MPI_INT, MPI_SUM, window);
    MPI_Win_flush(target, window); /* LINE(flush) */
}

int main(int argc, char **argv)
{
    int rank;
    int *account;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *account, sizeof *account, MPI_INFO_NULL, MPI_COMM_WORLD, &account, &window);
    if (rank < 2) {
        int from = 2 + rank;
        int to = 3 - rank;
        int value = 0;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, from, 0, window);
        add(from, -1, window);
        MPI_Sendrecv_replace(&value, 1, MPI_INT, 1 - rank, 1, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, to, 0, window); /* LINE(second) */
        add(to, 1, window);
        MPI_Win_unlock(to, window);
        MPI_Win_unlock(from, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
