/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two nonblocking collective calls that all wait for together; rank 2 begins them in the other order.
 *
 * EXPECT collective-mismatch ranks 0-2 culprits 2 lines bcast,sum
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double parameter = 1;
    double part = 2;
    double sum;
    MPI_Request requests[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 2)
        MPI_Ibcast(&parameter, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);        /* LINE(bcast) */
    MPI_Iallreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[1]); /* LINE(sum) */
    if (rank == 2)
        MPI_Ibcast(&parameter, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
