/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 asks in turn for a message of rank 1 and for one of rank 2; both have ended.
 *
 * EXPECT waiting-for-rank ranks 0,1,2 culprits 1,2 lines probe,test
 * RANKS 3
 * CHECK openmpi
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    int found = 0;
    int done = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
        while (!found && !done) {
            MPI_Iprobe(1, 5, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE); /* LINE(probe) */
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);                /* LINE(test) */
        }
    }
    MPI_Finalize();
    return 0;
}
