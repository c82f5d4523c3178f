/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A producer that is held back by synchronous sends, a consumer that waits for any of two requests, and a third rank
 * that polls with pauses.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

enum { tag_data = 1, tag_end = 2 };

static void consume(void)
{
    int value;
    int end;
    int which = 0;
    MPI_Request requests[2];
    MPI_Irecv(&end, 1, MPI_INT, 2, tag_end, MPI_COMM_WORLD, &requests[1]);
    MPI_Irecv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, &requests[0]);
    while (which == 0) {
        MPI_Waitany(2, requests, &which, MPI_STATUS_IGNORE);
        if (which == 0) {
            compute(100);
            MPI_Irecv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, &requests[0]);
        }
    }
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    int there = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        consume();
    } else if (rank == 0) {
        for (value = 1; value > 0;) {
            value = told_to_end() ? 0 : value + 1;
            MPI_Ssend(&value, 1, MPI_INT, value > 0 ? 1 : 2, tag_data, MPI_COMM_WORLD);
        }
    } else {
        while (!there) {
            compute(60);
            MPI_Iprobe(0, tag_data, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&value, 1, MPI_INT, 0, tag_data, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, tag_end, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
