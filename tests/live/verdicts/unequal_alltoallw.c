/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 2 gives rank 1 nothing, which expects much. All others leave the call; rank 2's counts stay in place.
 *
 * EXPECT collective-mismatch ranks 1,2 culprits 1,2 lines call
 * SAYS rank 2 gives rank 1 nothing
 * SAYS by its counts as they are now that it has left the call, and rank 1 expects 1600000 bytes
 * RANKS 4
 * WITHOUT boxes
 * OPTIONS --patience 1
 * CHECK openmpi
 */
#include <mpi.h>
#include <stdlib.h>

enum { RANKS = 4, COUNT = 200000 };

int main(int argc, char **argv)
{
    int rank, counts[RANKS], expected[RANKS], places[RANKS];
    MPI_Datatype types[RANKS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < RANKS; i++) {
        counts[i] = expected[i] = COUNT;
        places[i] = i * COUNT * (int)sizeof(double);
        types[i] = MPI_DOUBLE;
    }
    if (rank == 2)
        counts[1] = 0;
    double *from = calloc(RANKS * COUNT, sizeof *from), *to = calloc(RANKS * COUNT, sizeof *to);
    MPI_Alltoallw(from, counts, places, types, to, expected, places, types, MPI_COMM_WORLD); /* LINE(call) */
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
