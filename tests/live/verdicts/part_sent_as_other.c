/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each rank sends its result in two parts, told apart by their tags; rank 3 sends both as the first part.
 *
 * EXPECT tag-mismatch ranks 0,3 culprits 0,3 lines receive,send
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

enum { parts = 2, ranks = 4, first_tag = 10 };

static void collect(void)
{
    MPI_Request requests[parts * (ranks - 1)];
    double values[parts * (ranks - 1)];
    int finished[parts * (ranks - 1)];
    MPI_Status statuses[parts * (ranks - 1)];
    int left = parts * (ranks - 1);
    for (int i = 0; i < left; i++) {
        MPI_Irecv(&values[i], 1, MPI_DOUBLE, 1 + i / parts, first_tag + i % parts, MPI_COMM_WORLD, /* LINE(receive) */
                  &requests[i]);
    }
    while (left > 0) {
        int count;
        MPI_Waitsome(parts * (ranks - 1), requests, &count, finished, statuses);
        left -= count;
    }
}

int main(int argc, char **argv)
{
    int rank;
    int steps = 0;
    double value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        collect();
    }
    for (int part = 0; part < parts && rank > 0; part++) {
        const int tag = first_tag + (rank == 3 ? 0 : part);
        MPI_Send(&value, 1, MPI_DOUBLE, 0, tag, MPI_COMM_WORLD); /* LINE(send) */
    }
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
