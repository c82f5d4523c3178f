/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 sends to a rank that does not exist and does not look at the error that MPI returns. Rank 1 waits for the
 * message.
 *
 * EXPECT deadlock|waiting-for-rank|no-match ranks 0,1 culprits 0,1 lines wait,late
 * SAYS has got MPI_ERR_RANK from MPI_Send(1 x MPI_INT (4 bytes) -> 2, tag 3, MPI_COMM_WORLD)
 * SAYS had failed with MPI_ERR_RANK
 * RANKS 2
 * CHECK mpich
 */
#include "program.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    else
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Barrier(MPI_COMM_WORLD);                                               /* LINE(late) */
    MPI_Finalize();
    return 0;
}
