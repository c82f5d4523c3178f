/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every rank has a thread that polls for requests of others all the time. The main thread of rank 1 never gets done,
 * and the others have waited in the barrier for longer than the patience.
 *
 * EXPECT waiting-for-rank ranks 0-2 culprits 1 lines barrier,diverge|loop,poll
 * RANKS 3
 * WITHOUT boxes
 * OPTIONS --patience 1
 * CHECK openmpi
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { pause_microseconds = 2000 };

static void *serve(void *service)
{
    for (;;) {
        int is_there;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, *(MPI_Comm *)service, &is_there, MPI_STATUS_IGNORE); /* LINE(poll) */
        usleep(pause_microseconds);
    }
    return NULL;
}

static void solve(void)
{
    volatile double residual = 1;
    while (residual > 0) { /* LINE(loop) */
        residual *= 1;     /* LINE(diverge) */
    }
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    MPI_Comm service;
    pthread_t server;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &service);
    MPI_Comm_rank(service, &rank);
    pthread_create(&server, NULL, serve, &service);
    if (rank == 1) {
        solve();
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
