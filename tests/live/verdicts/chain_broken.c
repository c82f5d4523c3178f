/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank after rank begins a message under the next tag, which all others pass on along the ring, taken from anybody. In
 * step 9 rank 3 does not pass it on to rank 0, and goes on.
 *
 * EXPECT no-match ranks 0,3 culprits 3 lines take
 * SAYS rank 3 has received the message with tag 9, not passed it on to rank 0, and gone on
 * SAYS have rank 3 send rank 0 the message with tag 9
 * RANKS 4
 * CHECK mpich openmpi
 */
#include <mpi.h>

enum { steps = 20, step_with_fault = 9, broken = 3 };

int main(int argc, char **argv)
{
    int rank, size, news = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        const int next = (rank + 1) % size;
        if (step % size != rank)
            MPI_Recv(&news, 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(take) */
        if (step % size != next && !(step == step_with_fault && rank == broken))
            MPI_Send(&news, 1, MPI_INT, next, step, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
