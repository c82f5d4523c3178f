/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 takes its buffer back before rank 1, which waits in the barrier, has received what is in it.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines detach|bsend,barrier
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>
#include <stdlib.h>

enum { count = 1 << 20 };

static double values[count];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int size = sizeof values + MPI_BSEND_OVERHEAD;
        void *buffer = malloc((size_t)size);
        MPI_Buffer_attach(buffer, size);
        MPI_Bsend(values, count, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD); /* LINE(bsend) */
        MPI_Buffer_detach(&buffer, &size);                          /* LINE(detach) */
        free(buffer);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    if (rank == 1) {
        MPI_Recv(values, count, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
