/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that only MPI itself still knows of: exact forgotten|left|ended. Four ranks.
 *
 *   forgotten  rank 2 waits for a message with another tag than the one that rank 1 has sent it, and of which rank 1
 *              remembers nothing any more
 *   left       rank 0 comes to MPI_Finalize without having received three messages, and rank 1 waits for it
 *   ended      the same, and all ranks come to MPI_Finalize; they end when they are killed
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
#include <unistd.h>

enum { ints = 32, many = 3000 };

static int values[ints];

static void send_many(void)
{
    for (int i = 0; i < many; i++)
        MPI_Send(values, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
}

static void receive_many(void)
{
    for (int i = 0; i < many; i++)
        MPI_Recv(values, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void forget(int rank)
{
    if (rank == 1) {
        MPI_Send(values, ints, MPI_INT, 2, 7, MPI_COMM_WORLD);
        send_many();
    } else if (rank == 3)
        receive_many();
    else if (rank == 2)
        MPI_Recv(values, ints, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Barrier(MPI_COMM_WORLD);
}

static void leave(int rank, int all_end)
{
    for (int i = 0; i < 3 && rank == 1; i++)
        MPI_Send(values, ints, MPI_INT, 0, 5 + i, MPI_COMM_WORLD); /* LINE(send) */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && !all_end)
        MPI_Recv(values, ints, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(wait) */
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "forgotten") == 0)
        forget(rank);
    else
        leave(rank, argc > 1 && strcmp(argv[1], "ended") == 0);
    MPI_Finalize(); /* LINE(finalize) */
    for (;;)
        pause();
}
