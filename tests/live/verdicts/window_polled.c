/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 polls a value in its window by lock, get, unlock; the rank that is to set it waits for a message of rank 0.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 0 lines poll|get|unlock,wait
 * SAYS keeps accessing windows
 * WITHOUT cores
 * RANKS 2
 * OPTIONS --patience 1
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, *memory, value = 0;
    const int one = 1;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        while (value == 0) {
            MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);           /* LINE(poll) */
            MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window); /* LINE(get) */
            MPI_Win_unlock(0, window);                             /* LINE(unlock) */
        }
        MPI_Send(&value, 1, MPI_INT, 1, 8, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wait) */
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
