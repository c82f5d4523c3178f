/* SPDX-License-Identifier: BSD-3-Clause
 *
 * In each step another rank tells all others; they take it from anybody, by the step's tag. In step 9 rank 1 leaves out
 * rank 3; the next message for that lies there already.
 *
 * EXPECT no-match ranks 1,3 culprits 1 lines take
 * SAYS rank 1 has sent the message with tag 9 to ranks [0,2], not to rank 3, and gone on
 * SAYS have rank 1 send rank 3 the message with tag 9
 * RANKS 4
 * CHECK openmpi, parts
 */
#include <mpi.h>

enum { steps = 20, step_with_fault = 9, left_out = 3 };

int main(int argc, char **argv)
{
    int rank, size, news = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < steps; step++) {
        if (step % size != rank) {
            MPI_Recv(&news, 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(take) */
            continue;
        }
        for (int to = 0; to < size; to++) {
            if (to != rank && !(step == step_with_fault && to == left_out)) {
                MPI_Send(&news, 1, MPI_INT, to, step, MPI_COMM_WORLD);
            }
        }
    }
    MPI_Finalize();
    return 0;
}
