/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 asks by MPI_Mprobe how long the field of rank 0 is, finds it too long, and goes on without receiving it.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines send,probe,barrier
 * RANKS 3
 * CHECK mpich
 */
#include <mpi.h>

enum { room = 100000, length = 200000 };

static double field[length];

static void receive_field(void)
{
    MPI_Message message;
    MPI_Status status;
    int count;
    MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, &status); /* LINE(probe) */
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    if (count <= room)
        MPI_Mrecv(field, count, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(field, length, MPI_DOUBLE, 1, 6, MPI_COMM_WORLD); /* LINE(send) */
    else if (rank == 1)
        receive_field();
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
