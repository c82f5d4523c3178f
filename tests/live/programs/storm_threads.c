/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Load: three threads of each of two ranks exchange messages without a pause, each pair on a communicator of its own.
 * The messages obey the relations of storm.c.
 *
 * READS 20 300
 */
#include "expect.h"

#include <pthread.h>

enum { burst = 8, most = 64, thread_count = 3 };

static int sent[thread_count][2 * most], got[thread_count][2 * most];
static MPI_Comm comms[thread_count];
static int other, mine;

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16;
}

static void exchange_burst(int thread, unsigned *state, MPI_Comm comm)
{
    MPI_Request requests[2 * burst];
    for (int i = 0; i < burst; i++) {
        int n = 1 + (int)(next_random(state) % most);
        MPI_Irecv(got[thread] + n, n, MPI_INT, other, 100 * n + other, comm, &requests[i]);         /* LINE(irecv) */
        MPI_Isend(sent[thread] + n, n, MPI_INT, other, 100 * n + mine, comm, &requests[burst + i]); /* LINE(isend) */
    }
    MPI_Waitall(2 * burst, requests, MPI_STATUSES_IGNORE); /* LINE(waitall) */
}

static void *exchange(void *number)
{
    int thread = *(int *)number;
    unsigned state = 777;
    for (;;) {
        exchange_burst(thread, &state, comms[thread]);
        int n = 1 + (int)(next_random(&state) % most);
        int tag = 100 * n + (mine == thread % 2 ? mine : other);
        if (mine == thread % 2) {
            MPI_Ssend(sent[thread] + n, n, MPI_INT, other, tag, comms[thread]); /* LINE(ssend) */
        } else {
            MPI_Recv(got[thread] + n, n, MPI_INT, other, tag, comms[thread], MPI_STATUS_IGNORE); /* LINE(recv) */
        }
        MPI_Barrier(comms[thread]); /* LINE(barrier) */
    }
    return number;
}

int main(int argc, char **argv)
{
    static int numbers[thread_count] = {0, 1, 2};
    int provided;
    pthread_t threads[thread_count];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    mine = expect_begin();
    other = 1 - mine;
    for (int i = 0; i < thread_count; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    }
    expect_ready();
    pthread_join(threads[0], NULL);
}
