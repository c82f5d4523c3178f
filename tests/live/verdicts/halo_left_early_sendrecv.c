/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A halo exchange as in halo_left_early.c, with MPI_Sendrecv: a message of the other neighbour lies at rank 3 and waits
 * for its turn. Half of the ranks are through with the exchange.
 *
 * EXPECT deadlock ranks 0-7 culprits 2 lines wait,all
 * SAYS still in an exchange of messages
 * RANKS 8
 * CHECK openmpi
 */
#include "program.h"

#include <mpi.h>

enum { tag_halo = 7, steps = 8, early = 6 };

static void exchange(int left, int right)
{
    double mine = 1, theirs;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, left, tag_halo, &theirs, 1, MPI_DOUBLE, right, tag_halo, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, tag_halo, &theirs, 1, MPI_DOUBLE, left, tag_halo, /* LINE(wait) */
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
