/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 posts more receives than the memory limit of the runtime allows records for. All of them are received, though
 * not counted. Then both wait for each other.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines first,second
 * RANKS 2
 * CHECK openmpi
 */
#define _POSIX_C_SOURCE 200112L
#include <mpi.h>

#include <stdlib.h>

enum { MESSAGES = 20000 };

static int values[MESSAGES];
static MPI_Request requests[MESSAGES];

int main(int argc, char **argv)
{
    int rank;
    setenv("MPILENS_MEMORY_LIMIT", "1M", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < MESSAGES; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < MESSAGES; i++)
        MPI_Send(&values[i], 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(values, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(first) */
    else
        MPI_Recv(values, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(second) */
    MPI_Finalize();
    return 0;
}
