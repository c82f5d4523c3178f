/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Correct: in an exchange with neighbours on a ring, rank 0 needs ranks 1 and 5 alone. Rank 1 computes; rank 3 waits
 * for a word of rank 0 that comes after the exchange.
 *
 * EXPECT none
 * RANKS 6
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    const int periodic = 1;
    int rank;
    int size;
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    int mine = rank;
    int theirs[2];
    if (rank == 1)
        while (!told_to_end())
            compute(10);
    if (rank == 3)
        MPI_Recv(&mine, 1, MPI_INT, 0, 5, ring, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(&mine, 1, MPI_INT, theirs, 1, MPI_INT, ring);
    if (rank == 0)
        MPI_Send(&mine, 1, MPI_INT, 3, 5, ring);
    MPI_Barrier(ring);
    MPI_Finalize();
    return 0;
}
