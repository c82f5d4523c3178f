/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 gives its second message the tag of the first one and ends. Such a message has come before and was received,
 * so its tag need not be wrong; but it lies there, and rank 1 sends no other.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 1 lines second,receive
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>

enum { tag_first = 2, tag_second = 1 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, tag_first, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 0, tag_first, MPI_COMM_WORLD); /* LINE(second) */
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, tag_first, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, tag_second, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
    }
    MPI_Finalize();
    return 0;
}
