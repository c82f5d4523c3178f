/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exchange on a ring, and a sum at each tenth step. Rank 1 leaves one out when many messages are forgotten.
 *
 * EXPECT deadlock ranks 0-3 culprits 1 lines all,exchange
 * SAYS rank 1 is still in an exchange of messages
 * SAYS rank 1 has received at least
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { left_out = 250 };

int main(int argc, char **argv)
{
    int rank, size;
    double mine = 1, theirs, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int step = 0; step < 2 * left_out; step++) {
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, right, 1, &theirs, 1, MPI_DOUBLE, left, 1, /* LINE(exchange) */
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, left, 2, &theirs, 1, MPI_DOUBLE, right, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        if (step % 10 == 0 && (rank != 1 || step != left_out))
            MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* LINE(all) */
    }
    MPI_Finalize();
    return 0;
}
