/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An exchange with partners that nobody knows before: all take the messages of anyone until the barrier, which each
 * enters when its own messages have been received, is over. Rank 2 has nothing to send in the last round, and never
 * enters it.
 *
 * EXPECT collective-missing ranks 0-3 culprits 2 lines probe,barrier|test
 * RANKS 4
 * CHECK mpich
 */
#include <mpi.h>

enum { tag = 4, rounds = 4, most_sends = 2 };

static void take_one(void)
{
    int flag;
    int value;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &status); /* LINE(probe) */
    if (flag) {
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void exchange(int rank, int size, int sends)
{
    MPI_Request requests[most_sends];
    MPI_Request barrier = MPI_REQUEST_NULL;
    int sent = 0;
    int done = 0;
    for (int i = 0; i < sends; i++) {
        MPI_Issend(&rank, 1, MPI_INT, (rank + 1 + i) % size, tag, MPI_COMM_WORLD, &requests[i]);
    }
    while (!done) {
        take_one();
        if (barrier != MPI_REQUEST_NULL) {
            MPI_Test(&barrier, &done, MPI_STATUS_IGNORE); /* LINE(test) */
        } else if (sends > 0) {
            MPI_Testall(sends, requests, &sent, MPI_STATUSES_IGNORE);
            if (sent) {
                MPI_Ibarrier(MPI_COMM_WORLD, &barrier); /* LINE(barrier) */
            }
        }
    }
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 1; round <= rounds; round++) {
        exchange(rank, size, round == rounds && rank == 2 ? 0 : most_sends);
    }
    MPI_Finalize();
    return 0;
}
