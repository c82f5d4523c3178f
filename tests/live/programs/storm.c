/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Load: two ranks exchange messages, with each other and with themselves, without a pause; every message obeys
 * relations that storm_test.py checks.
 *
 * The count n is 1 to 64, the tag 100 * n + rank of the sender, the buffer n ints into the block of its direction.
 *
 * READS 40 1000
 */
#include "expect.h"

#include <stdlib.h>

enum { burst = 8, most = 64 };

static int sent[2 * most], got[2 * most];
static int other, mine;

static unsigned next_random(void)
{
    static unsigned state = 12345;
    state = state * 1103515245u + 12345u;
    return state >> 16;
}

/* Both ranks draw the same counts, so that every message meets its receive. */
static void exchange_burst(MPI_Comm comm, int peer, int self)
{
    MPI_Request requests[2 * burst];
    for (int i = 0; i < burst; i++) {
        int n = 1 + (int)(next_random() % most);
        MPI_Irecv(got + n, n, MPI_INT, peer, 100 * n + peer, comm, &requests[i]);          /* LINE(irecv) */
        MPI_Isend(sent + n, n, MPI_INT, peer, 100 * n + self, comm, &requests[burst + i]); /* LINE(isend) */
    }
    MPI_Waitall(2 * burst, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
}

static void exchange_blocking(MPI_Comm comm)
{
    MPI_Status status;
    int n = 1 + (int)(next_random() % most);
    if (mine == 0) {
        MPI_Send(sent + n, n, MPI_INT, other, 100 * n + mine, comm);          /* LINE(send) */
        MPI_Recv(got + n, n, MPI_INT, other, 100 * n + other, comm, &status); /* LINE(recv) */
    } else {
        MPI_Recv(got + n, n, MPI_INT, other, 100 * n + other, comm, &status); /* LINE(recv_first) */
        MPI_Ssend(sent + n, n, MPI_INT, other, 100 * n + mine, comm);         /* LINE(ssend) */
    }
}

static void exchange_collective(void)
{
    int result;
    switch (next_random() % 3) {
    case 0:
        MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
        break;
    case 1:
        MPI_Allreduce(&mine, &result, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* LINE(allreduce) */
        break;
    default:
        MPI_Bcast(got, 1, MPI_INT, 0, MPI_COMM_WORLD); /* LINE(bcast) */
        break;
    }
}

int main(int argc, char **argv)
{
    MPI_Comm duplicate;
    MPI_Init(&argc, &argv);
    mine = expect_begin();
    other = 1 - mine;
    expect_ready();
    for (;;) {
        MPI_Comm_dup(MPI_COMM_WORLD, &duplicate); /* LINE(dup) */
        for (int i = 0; i < 50; i++) {
            exchange_burst(MPI_COMM_WORLD, other, mine);
            for (int j = 0; j < 20; j++) {
                exchange_burst(MPI_COMM_SELF, 0, 0); /* no partner to wait for: more time outside MPI's waiting */
            }
            exchange_blocking(duplicate);
            exchange_blocking(MPI_COMM_WORLD);
            exchange_collective();
        }
        MPI_Comm_free(&duplicate); /* LINE(free) */
    }
}
