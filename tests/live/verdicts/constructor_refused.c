/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 makes a communicator of no group, and goes on when MPI refuses that. On the one that all make then it waits
 * for another tag than rank 1 has sent.
 *
 * EXPECT tag-mismatch ranks 0,1 culprits 0,1 lines send,receive
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>

static void make_of(MPI_Group group, MPI_Comm *ret_part)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_create(MPI_COMM_WORLD, group, ret_part);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 1;
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        make_of(MPI_GROUP_NULL, &part);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &part);
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 7, part); /* LINE(send) */
    else
        MPI_Recv(&value, 1, MPI_INT, 1, 8, part, MPI_STATUS_IGNORE); /* LINE(receive) */
    MPI_Barrier(part);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}
