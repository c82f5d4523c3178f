/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 leaves out one of three broadcasts, and the job goes on in wrong pairs: nothing hangs.
 *
 * EXPECT collective-mismatch ranks 0-3 culprits 1 lines first|second|third
 * SAYS rank 1 is out of step with the 3 others in the collective calls on MPI_Comm_dup of MPI_COMM_WORLD
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { LEFT_OUT = 100 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &steps);
    for (unsigned i = 0;; i++) {
        if (rank != 1 || i != LEFT_OUT)
            MPI_Bcast(&value, 1, MPI_INT, 0, steps); /* LINE(first) */
        MPI_Bcast(&value, 1, MPI_INT, 0, steps);     /* LINE(second) */
        MPI_Bcast(&value, 1, MPI_INT, 0, steps);     /* LINE(third) */
    }
}
