/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator in the reverse order: the last rank of the job is its rank 0, and the first rank of the job takes
 * itself for that.
 *
 * EXPECT source-mismatch ranks 0,2 culprits 0,2 lines send,recv
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int size;
    int rank_in_reverse;
    double value = 0;
    MPI_Comm reverse;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reverse);
    MPI_Comm_rank(reverse, &rank_in_reverse);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_DOUBLE, 1, 0, reverse); /* LINE(send) */
    if (rank_in_reverse == 1)
        MPI_Recv(&value, 1, MPI_DOUBLE, 0, 0, reverse, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Barrier(reverse);
    MPI_Finalize();
    return 0;
}
