/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 sends the last field without waiting for it, and rank 1 does not receive it; both finalize. Open MPI lets
 * them, and MPICH does so now and then.
 *
 * EXPECT no-match ranks 0,1 culprits 0,1 lines send,finalize
 * RANKS 2
 * ONLY mpich
 * ENDS sometimes
 * CHECK mpich
 */
#include <mpi.h>

enum { length = 300000 };

static double field[length];

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(field, length, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request); /* LINE(send) */
        MPI_Request_free(&request);
    }
    MPI_Finalize(); /* LINE(finalize) */
    return 0;
}
