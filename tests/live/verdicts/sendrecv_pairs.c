/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Exchange in pairs by MPI_Sendrecv: even ranks should begin with the right neighbour and odd ranks with the left, but
 * all begin with the right. The tag tells the pair.
 *
 * EXPECT deadlock ranks 0-3 culprits 0-3 lines sendrecv
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

static void exchange(int partner, int pair, double *value)
{
    double taken;
    MPI_Sendrecv(value, 1, MPI_DOUBLE, partner, pair, &taken, 1, MPI_DOUBLE, partner, pair, /* LINE(sendrecv) */
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *value = (*value + taken) / 2;
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double value = rank;
    exchange((rank + 1) % size, rank, &value);
    exchange((rank + size - 1) % size, (rank + size - 1) % size, &value);
    MPI_Finalize();
    return 0;
}
