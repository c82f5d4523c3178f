/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Broadcasts around a ring, each with the next tag, received from any source. Rank 1 does not send in its own, and goes
 * on to the next one: it is ahead of those that still wait.
 *
 * EXPECT deadlock ranks 0-3 culprits 1 lines receive
 * SAYS rank 1 waits with tag 10, the others at that place with tag 9
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

enum { RANKS = 4, STEPS = 20, LEFT_OUT = 9 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < STEPS; step++) {
        const int root = step % RANKS, next = (rank + 1) % RANKS;
        if (rank != root)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
        if (next != root && (rank != 1 || step != LEFT_OUT))
            MPI_Send(&value, 1, MPI_INT, next, step, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
