/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 begins on MPI_COMM_WORLD what the others begin on a duplicate. The order of these calls does not matter.
 *
 * EXPECT collective-missing ranks 0-2 culprits 1 lines wait
 * SAYS on MPI_Comm_dup of MPI_COMM_WORLD, as the others do, not on MPI_COMM_WORLD at
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, sum = 0, shared = 0;
    MPI_Comm copy;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    const MPI_Comm chosen = rank == 1 ? MPI_COMM_WORLD : copy;
    MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, chosen, &requests[0]);
    MPI_Ibcast(&shared, 1, MPI_INT, 0, chosen, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
