/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 has shared locks of all and waits for the answer of rank 1, which wants an exclusive one first.
 *
 * EXPECT lock-wait ranks 0,1 culprits 0 lines wanted|flush,answer
 * RANKS 3
 * CHECK mpich openmpi
 */
#include <mpi.h>

enum { tag_begin = 1, tag_answer = 2 };

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
        MPI_Win_lock_all(0, window);
        MPI_Accumulate(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_flush_all(window);
        MPI_Send(&one, 1, MPI_INT, 1, tag_begin, MPI_COMM_WORLD);
        MPI_Recv(&one, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(answer) */
        MPI_Win_unlock_all(window);
    } else if (rank == 1) {
        MPI_Recv(&one, 1, MPI_INT, 0, tag_begin, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, window); /* LINE(wanted) */
        MPI_Accumulate(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, window);
        MPI_Win_flush(2, window); /* LINE(flush) */
        MPI_Win_unlock(2, window);
        MPI_Send(&one, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
