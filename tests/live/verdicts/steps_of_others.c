/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks 1 and 2 compute and exchange, step after step, while rank 0 waits for the end of it: for longer than the
 * patience, but no step takes that long.
 *
 * EXPECT none
 * RANKS 3
 * OPTIONS --patience 1
 * WITHOUT cores
 * CHECK mpich
 */
#define _GNU_SOURCE
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int end = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    while (rank != 0 && end < 2) {
        int mine = told_to_end();
        int other = 0;
        compute(250);
        MPI_Sendrecv(&mine, 1, MPI_INT, 3 - rank, 1, &other, 1, MPI_INT, 3 - rank, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        end = mine + other;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
