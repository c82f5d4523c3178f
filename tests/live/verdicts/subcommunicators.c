/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two teams do different numbers of collectives on their own communicators before they meet: one already waits in a
 * collective of all, the other one is still in a loop of its own.
 *
 * EXPECT none
 * RANKS 4
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int last = 0;
    MPI_Comm team;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &team);
    MPI_Barrier(team);
    while (rank >= 2 && !last) {
        last = rank == 2 && told_to_end();
        compute(30);
        MPI_Bcast(&last, 1, MPI_INT, 0, team);
    }
    MPI_Bcast(&last, 1, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&team);
    MPI_Finalize();
    return 0;
}
