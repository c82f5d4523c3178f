/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upwind scheme on a periodic line: the receive is nonblocking, but everyone waits for it before sending.
 *
 * EXPECT deadlock ranks 0-3 culprits 0-3 lines irecv
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { cells = 100, steps = 5 };

int main(int argc, char **argv)
{
    double u[cells + 1] = {0};
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;
    for (int step = 0; step < steps; step++) {
        MPI_Request request;
        MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, step, MPI_COMM_WORLD, &request); /* LINE(irecv) */
        for (int cell = cells; cell > 1; cell--) {
            u[cell] = (u[cell] + u[cell - 1]) / 2;
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&u[cells], 1, MPI_DOUBLE, right, step, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
