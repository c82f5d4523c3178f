/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: one thread posts a receive, another waits for it; a thread that called MPI has ended.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#define _GNU_SOURCE
#include "expect.h"

#include <pthread.h>
#include <unistd.h>

static int value;
static MPI_Request request;

static void *post_thread(void *unused)
{
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request); /* LINE(irecv) */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    expect_begin();
    if (provided != MPI_THREAD_MULTIPLE) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    struct expected_communicator *world = expect_world();
    pthread_create(&thread, NULL, post_thread, NULL);
    pthread_join(thread, NULL);
    expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 1, .peer = MPI_ANY_SOURCE,
                                  .tag = 1, .count = 1, .buffer = &value, .request = &request));
    expect_call("MPI_Wait", "wait");
    expect_ready();
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
