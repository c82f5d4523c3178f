/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each step has its tag, and a first rank that sends; the others pass on what they receive from anybody. Rank 2 passes
 * one on with the tag of the next step, in which rank 3 gets another message with that tag.
 *
 * EXPECT tag-mismatch ranks 2,3 culprits 2 lines receive
 * SAYS rank 2 has received a message with tag 20 and passed it on with tag 21
 * SAYS where it has otherwise kept the tag (
 * SAYS have rank 2 send with the tag that it has received
 * RANKS 4
 * WITHOUT lines
 * CHECK openmpi
 */
#include <mpi.h>

enum { steps = 40, wrong = 20 };

int main(int argc, char **argv)
{
    int rank, ranks, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int step = 0; step < steps; step++) {
        const int distance = (rank + ranks - step % ranks) % ranks, next = (rank + 1) % ranks;
        if (distance == 0) {
            MPI_Send(&value, 1, MPI_INT, next, step, MPI_COMM_WORLD);
            continue;
        }
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, step, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
        if (distance < ranks - 1)
            MPI_Send(&value, 1, MPI_INT, next, rank == 2 && step == wrong ? step + 1 : step, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
