/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A client and a server that each wait for the other's greeting.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines client,server
 * RANKS 2
 * CHECK mpich
 */
#include <mpi.h>

enum { tag_greeting = 1, tag_answer = 2 };

static void serve(int *value)
{
    MPI_Recv(value, 1, MPI_INT, 1, tag_greeting, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(server) */
    MPI_Send(value, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD);
}

static void ask(int *value)
{
    MPI_Recv(value, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(client) */
    MPI_Send(value, 1, MPI_INT, 0, tag_greeting, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        serve(&value);
    } else {
        ask(&value);
    }
    MPI_Finalize();
    return 0;
}
