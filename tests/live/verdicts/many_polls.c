/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 tests more receives in turn than anybody remembers. All but the last are of rank 2, which sends when it has
 * got an answer; the last one is of rank 0, which computes.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich openmpi, all forms
 */
#include "program.h"

#include <mpi.h>

enum { of_rank_2 = 20, all };

int main(int argc, char **argv)
{
    int rank;
    int done = 0;
    int values[all] = {0};
    MPI_Request requests[all];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!told_to_end()) {
            compute(10);
        }
        MPI_Send(values, 1, MPI_INT, 1, of_rank_2, MPI_COMM_WORLD);
    } else if (rank == 1) {
        for (int i = 0; i < all; i++) {
            MPI_Irecv(&values[i], 1, MPI_INT, i < of_rank_2 ? 2 : 0, i, MPI_COMM_WORLD, &requests[i]);
        }
        while (!done) {
            for (int i = 0; i < all; i++) {
                MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
            }
        }
        MPI_Send(values, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Waitall(all, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(values, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0; i < of_rank_2; i++) {
            MPI_Send(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
