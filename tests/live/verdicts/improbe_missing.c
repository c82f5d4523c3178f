/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 looks now and then, by MPI_Improbe, for two messages of rank 2, which sends one and goes to the barrier.
 *
 * EXPECT deadlock ranks 1,2 culprits 1,2 lines improbe,barrier
 * RANKS 3
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

static void collect(int count)
{
    while (count > 0) {
        MPI_Message message;
        int value;
        int flag;
        MPI_Improbe(2, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE); /* LINE(improbe) */
        if (flag) {
            MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
            count--;
        }
        compute(1);
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        collect(2);
    else if (rank == 2)
        MPI_Send(&rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
