/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 polls for an order with another tag than it was sent with; rank 0 waits for the answer.
 *
 * EXPECT tag-mismatch ranks 0,1 culprits 0,1 lines send,iprobe
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>

enum { tag_order = 7, tag_request = 8, tag_answer = 9 };

int main(int argc, char **argv)
{
    int rank;
    int value = 42;
    int there = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 1, tag_order, MPI_COMM_WORLD); /* LINE(send) */
        MPI_Recv(&value, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        while (!there) {
            MPI_Iprobe(0, tag_request, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE); /* LINE(iprobe) */
        }
        MPI_Recv(&value, 1, MPI_INT, 0, tag_request, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
