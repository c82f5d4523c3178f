/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 has a receive from any source pending, and then waits for rank 1, whose only message came first and went to
 * that. No record says so; the order of matching does, once the messages have had time to arrive.
 *
 * EXPECT no-match ranks 0,1 culprits 0 lines any,wanted
 * SAYS left the one from rank 2
 * RANKS 3
 * WITHOUT boxes
 * OPTIONS --patience 1
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, values[2] = {0};
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request); /* LINE(any) */
        MPI_Recv(&values[1], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);      /* LINE(wanted) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        const double begin = MPI_Wtime();
        while (rank == 2 && MPI_Wtime() - begin < 0.1) {
        }
        MPI_Send(values, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
