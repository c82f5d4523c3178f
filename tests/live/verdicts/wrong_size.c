/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 receives into too small an array and takes the error for one that passes: it receives again, but the message
 * is gone. Rank 0 waits for the answer.
 *
 * EXPECT size-mismatch ranks 0,1 culprits 0,1 lines send,receive
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
        MPI_Send(values, length, MPI_INT, 1, tag_values, MPI_COMM_WORLD); /* LINE(send) */
        MPI_Recv(values, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        int error = MPI_ERR_OTHER;
        while (error != MPI_SUCCESS) {
            error = MPI_Recv(values, length / 2, MPI_INT, 0, tag_values, MPI_COMM_WORLD, /* LINE(receive) */
                             MPI_STATUS_IGNORE);
        }
        MPI_Send(values, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
