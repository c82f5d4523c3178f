/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sums in pairs: rank 1 sends its part with another tag, frees the communicator, by which its sends there are
 * forgotten, and goes on. The message of rank 2 for the next step, which lies at rank 0 and would fit but for its
 * source, is not what rank 0 waits for.
 *
 * EXPECT deadlock ranks 0-3 culprits 1 lines exchange
 * SAYS but ranks [0,2] are still in an exchange of messages
 * SAYS compare what rank 1 sends with what rank 0 receives, their tags too, before rank 1 frees
 * RANKS 4
 * CHECK openmpi
 */
#include <mpi.h>

static void exchange(MPI_Comm communicator, int partner, int tag)
{
    int own = 0, other;
    MPI_Sendrecv(&own, 1, MPI_INT, partner, tag, &other, 1, MPI_INT, partner, 0, communicator, /* LINE(exchange) */
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, sum = 0;
    MPI_Comm communicator;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    MPI_Comm_rank(communicator, &rank);
    exchange(communicator, rank ^ 1, rank == 1);
    if (rank % 2 == 0)
        exchange(communicator, rank ^ 2, 0);
    MPI_Comm_free(&communicator);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
