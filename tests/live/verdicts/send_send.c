/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two halves of a domain exchange their boundaries; both send first, and the boundary has outgrown the eager limit.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines send
 * RANKS 2
 * CHECK openmpi
 */
#include <mpi.h>

enum { boundary = 1 << 20, steps = 10 };

static double given[boundary], taken[boundary];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < steps; step++) {
        int count = step < 2 ? 1 : boundary;
        MPI_Send(given, count, MPI_DOUBLE, 1 - rank, step, MPI_COMM_WORLD); /* LINE(send) */
        MPI_Recv(taken, count, MPI_DOUBLE, 1 - rank, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
