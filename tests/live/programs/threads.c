/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: under MPI_THREAD_MULTIPLE four threads of rank 0 are blocked in different calls.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 * UNPREPARED openmpi
 */
#define _GNU_SOURCE
#include "expect.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t known, ready;
static int tids[3];
static int values[4];
static MPI_Request request;

static void *wait_thread(void *unused)
{
    tids[0] = gettid();
    MPI_Irecv(&values[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request); /* LINE(irecv) */
    pthread_barrier_wait(&known);
    pthread_barrier_wait(&ready);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* LINE(wait) */
    return unused;
}

static void *ssend_thread(void *unused)
{
    tids[1] = gettid();
    pthread_barrier_wait(&known);
    pthread_barrier_wait(&ready);
    MPI_Ssend(&values[1], 1, MPI_INT, 1, 2, MPI_COMM_WORLD); /* LINE(ssend) */
    return unused;
}

static void *probe_thread(void *unused)
{
    tids[2] = gettid();
    pthread_barrier_wait(&known);
    pthread_barrier_wait(&ready);
    MPI_Probe(1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(probe) */
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[3];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    int rank = expect_begin();
    int other = 1 - rank;
    if (provided != MPI_THREAD_MULTIPLE) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    struct expected_communicator *world = expect_world();
    expect_any_order();
    expect_call("MPI_Recv", "recv");
    if (rank == 0) {
        pthread_barrier_init(&known, NULL, 4);
        pthread_barrier_init(&ready, NULL, 4);
        pthread_create(&threads[0], NULL, wait_thread, NULL);
        pthread_create(&threads[1], NULL, ssend_thread, NULL);
        pthread_create(&threads[2], NULL, probe_thread, NULL);
        pthread_barrier_wait(&known);
        expect_thread(tids[0], "MPI_Wait", "wait");
        expect_thread(tids[1], "MPI_Ssend", "ssend");
        expect_thread(tids[2], "MPI_Probe", "probe");
        expect_receive(world, MESSAGE(.function = "MPI_Irecv", .line = "irecv", .awaited = 2, .peer = 1, .world = 1,
                                      .tag = 1, .count = 1, .buffer = &values[0], .request = &request));
        expect_send(world, MESSAGE(.function = "MPI_Ssend", .line = "ssend", .mode = "synchronous", .blocking = 1,
                                   .awaited = 3, .peer = 1, .world = 1, .tag = 2, .count = 1, .buffer = &values[1]));
    } else {
        expect_unexpected(world, MESSAGE(.function = "MPI_Ssend", .line = "ssend", .mode = "synchronous", .blocking = 1,
                                         .peer = 0, .world = 0, .tag = 2, .count = 1));
    }
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 4, .count = 1, .buffer = &values[3]));
    expect_ready();
    if (rank == 0) {
        pthread_barrier_wait(&ready);
    }
    MPI_Recv(&values[3], 1, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
