/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 makes a sum twice, before its results are collected. The next worker's result is there, and would fit but for
 * its sender.
 *
 * EXPECT deadlock ranks 0-3 culprits 1 lines sum,collect
 * SAYS have rank 1 call MPI_Allreduce once, as the others do
 * RANKS 4
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, value = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i <= (rank == 1); i++)
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* LINE(sum) */
    compute(100);
    if (rank == 0) {
        for (int worker = 1; worker < size; worker++)
            MPI_Recv(&value, 1, MPI_INT, worker, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(collect) */
        for (int worker = 1; worker < size; worker++)
            MPI_Send(&value, 1, MPI_INT, worker, 9, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
