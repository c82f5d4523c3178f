/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The master waits for a result of anyone before it has handed out the first piece of work.
 *
 * EXPECT deadlock ranks 0-3 culprits 0-3 lines master,worker
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { tag_work = 1, tag_result = 2, pieces = 20 };

int main(int argc, char **argv)
{
    int rank;
    int piece;
    double result = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (piece = 0; piece < pieces; piece++) {
            MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, tag_result, MPI_COMM_WORLD, &status); /* LINE(master) */
            MPI_Send(&piece, 1, MPI_INT, status.MPI_SOURCE, tag_work, MPI_COMM_WORLD);
        }
    } else {
        while (result < pieces) {
            MPI_Recv(&piece, 1, MPI_INT, 0, tag_work, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(worker) */
            result += piece;
            MPI_Send(&result, 1, MPI_DOUBLE, 0, tag_result, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
