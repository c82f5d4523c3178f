/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 waits for one message of each of the others; rank 3 has nothing to say and finalizes.
 *
 * EXPECT waiting-for-rank ranks 0,3 culprits 3 lines irecv
 * RANKS 4
 * CHECK mpich openmpi, all forms
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int values[4] = {0};
    MPI_Request requests[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int other = 1; other < 4; other++) {
            MPI_Irecv(&values[other], 1, MPI_INT, other, 9, MPI_COMM_WORLD, &requests[other - 1]); /* LINE(irecv) */
        }
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else if (rank < 3) {
        MPI_Send(values, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
