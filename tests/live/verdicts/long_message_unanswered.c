/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 receives into too small an array and gives up: it answers only what it has got whole. Rank 0 waits for the
 * answer.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines request,barrier
 * RANKS 2
 * CHECK openmpi
 */
#include <mpi.h>

enum { length = 20, tag_values = 1, tag_answer = 2 };

int main(int argc, char **argv)
{
    int rank;
    int values[length] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Send(values, length, MPI_INT, 1, tag_values, MPI_COMM_WORLD);
        MPI_Recv(values, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        int error = MPI_Recv(values, length / 2, MPI_INT, 0, tag_values, MPI_COMM_WORLD, /* LINE(request) */
                             MPI_STATUS_IGNORE);
        if (error == MPI_SUCCESS) {
            MPI_Send(values, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
