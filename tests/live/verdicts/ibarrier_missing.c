/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A nonblocking barrier that rank 2 never begins: it finalizes.
 *
 * EXPECT collective-missing ranks 0-2 culprits 2 lines ibarrier|wait
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 2) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request); /* LINE(ibarrier) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);  /* LINE(wait) */
    }
    MPI_Finalize();
    return 0;
}
