/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 has nothing left to do and is in MPI_Finalize, while the others still work with each other.
 *
 * EXPECT none
 * RANKS 3
 * CHECK mpich openmpi
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int last = 0;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &pair);
    while (rank < 2 && !last) {
        compute(rank == 1 ? 300 : 10);
        last = told_to_end();
        MPI_Bcast(&last, 1, MPI_INT, 1, pair);
    }
    if (rank < 2) {
        MPI_Comm_free(&pair);
    }
    MPI_Finalize();
    return 0;
}
