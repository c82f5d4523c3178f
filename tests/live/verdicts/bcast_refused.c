/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 shares its settings from a root that does not exist and goes on when MPI refuses that. Later rank 2 waits for
 * another tag than rank 3 has sent, and the others wait for both.
 *
 * EXPECT tag-mismatch ranks 2,3 culprits 2,3 lines send,receive
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

static void share_settings(int *settings, int root)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Bcast(settings, 1, MPI_INT, root, MPI_COMM_WORLD) != MPI_SUCCESS)
        *settings = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 1;
    int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        share_settings(&value, 99);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3)
        MPI_Send(&value, 1, MPI_INT, 2, 7, MPI_COMM_WORLD); /* LINE(send) */
    if (rank == 2)
        MPI_Recv(&value, 1, MPI_INT, 3, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
