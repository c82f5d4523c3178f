/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 takes itself for the root of one scatter of many: it gets each later value one call late, and at the end
 * another one than the others.
 *
 * EXPECT collective-mismatch ranks 0,1 culprits 1 lines again,done
 * SAYS rank 1 has given another root than the 3 others to one of the collective calls 289 to 320 on MPI_Comm_dup of
 * SAYS name the same root on all ranks
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

enum { STEPS = 600, ODD = 300 };

int main(int argc, char **argv)
{
    int rank, value = 0, values[4];
    MPI_Comm steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &steps);
    for (int i = 0; i < STEPS; i++) {
        for (int j = 0; j < 4; j++)
            values[j] = rank == 0 ? i : -1;
        MPI_Scatter(values, 1, MPI_INT, &value, 1, MPI_INT, rank == 1 && i == ODD ? 1 : 0, steps);
    }
    if (value < STEPS - 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 5, steps, MPI_STATUS_IGNORE); /* LINE(again) */
    MPI_Barrier(steps);                                               /* LINE(done) */
    MPI_Comm_free(&steps);
    MPI_Finalize();
    return 0;
}
