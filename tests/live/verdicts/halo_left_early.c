/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halo exchange on a ring with one tag for both directions; rank 2 leaves the loop earlier than the others.
 *
 * EXPECT deadlock ranks 0-3 culprits 2 lines wait,all
 * SAYS still in an exchange of messages
 * RANKS 4
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

enum { tag_halo = 7, steps = 10, early = 6 };

static void exchange(int left, int right)
{
    double mine = 1, theirs;
    MPI_Request request;
    MPI_Irecv(&theirs, 1, MPI_DOUBLE, right, tag_halo, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_DOUBLE, left, tag_halo, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(&theirs, 1, MPI_DOUBLE, left, tag_halo, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_DOUBLE, right, tag_halo, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
}

int main(int argc, char **argv)
{
    int rank, size;
    double residual = 1, most;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps && !(rank == 2 && step == early); step++)
        exchange((rank + size - 1) % size, (rank + 1) % size);
    MPI_Allreduce(&residual, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* LINE(all) */
    MPI_Finalize();
    return 0;
}
