/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages go around as in chain_broken.c, and one line takes all. In step 9 rank 3 needs a credit before it goes on,
 * for the first time, and rank 0 has left that out: rank 3 is not to blame alone for what rank 0 waits for.
 *
 * EXPECT deadlock ranks 0-3 culprits 0-3 lines take
 * RANKS 4
 * CHECK mpich openmpi
 */
#include <mpi.h>

enum { steps = 20, step_with_credit = 9, waiting = 3, tag_credit = 100 };

static void take(int tag)
{
    int news;
    MPI_Recv(&news, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(take) */
}

int main(int argc, char **argv)
{
    int rank, size, news = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        const int next = (rank + 1) % size;
        if (step % size != rank)
            take(step);
        if (step == step_with_credit && rank == waiting)
            take(tag_credit);
        if (step % size != next)
            MPI_Send(&news, 1, MPI_INT, next, step, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
