/* SPDX-License-Identifier: BSD-3-Clause
 *
 * More than ten thousand messages lie unreceived at rank 1, but their number does not grow: it takes one for each that
 * comes.
 *
 * EXPECT none
 * RANKS 2
 */
#include "program.h"

#include <mpi.h>

enum { backlog = 11000, tag_data = 1, tag_take = 2 };

int main(int argc, char **argv)
{
    int rank;
    int last = 0;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int number = 0; number < backlog; number++) {
            MPI_Send(&number, 1, MPI_INT, 1, tag_data, MPI_COMM_WORLD);
        }
        while (!last) {
            last = told_to_end();
            MPI_Send(&value, 1, MPI_INT, 1, tag_data, MPI_COMM_WORLD);
            MPI_Send(&last, 1, MPI_INT, 1, tag_take, MPI_COMM_WORLD);
            compute(1);
        }
    } else {
        while (!last) {
            MPI_Recv(&last, 1, MPI_INT, 0, tag_take, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int number = 0; number < backlog; number++) {
            MPI_Recv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
