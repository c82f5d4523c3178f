/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A member of the other side of an intercommunicator waits for a message of this side's leader instead.
 *
 * EXPECT deadlock ranks 0,3 culprits 0,3 lines call,message
 * SAYS with rank 2 of MPI_COMM_WORLD, tag 10
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Comm part, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &part);
    if (rank == 3)
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   /* LINE(message) */
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, 2 - rank / 2 * 2, 10, &other); /* LINE(call) */
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 3, 5, MPI_COMM_WORLD);
    MPI_Comm_free(&other);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
