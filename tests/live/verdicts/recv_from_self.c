/* SPDX-License-Identifier: BSD-3-Clause
 *
 * By a wrong table rank 2 is its own left neighbour and receives from itself; the others wait in the barrier.
 *
 * EXPECT no-match ranks 2 culprits 2 lines recv
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

static const int left_of[] = {MPI_PROC_NULL, 0, 2};
static const int right_of[] = {1, MPI_PROC_NULL, MPI_PROC_NULL};

int main(int argc, char **argv)
{
    int rank;
    double value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&value, 1, MPI_DOUBLE, right_of[rank], 4 + rank, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_DOUBLE, left_of[rank], 3 + rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
