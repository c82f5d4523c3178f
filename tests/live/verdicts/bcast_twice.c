/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 makes the first of three broadcasts twice, long ago: the next ones fit all the same, each one call later, and
 * it waits for one that the root, which has nothing more to give, never makes.
 *
 * EXPECT collective-mismatch ranks 1 culprits 1 lines last
 * SAYS rank 1 is out of step with the 3 others in the collective calls on MPI_Comm_dup of MPI_COMM_WORLD
 * SAYS the last one known to be alike was call 288
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

enum { STEPS = 200, TWICE = 100 };

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm steps;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &steps);
    for (int i = 0; i < STEPS; i++) {
        for (int again = 0; again <= (rank == 1 && i == TWICE); again++)
            MPI_Bcast(&value, 1, MPI_INT, 0, steps);
        MPI_Bcast(&value, 1, MPI_INT, 0, steps);
        MPI_Bcast(&value, 1, MPI_INT, 0, steps); /* LINE(last) */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&steps);
    MPI_Finalize();
    return 0;
}
