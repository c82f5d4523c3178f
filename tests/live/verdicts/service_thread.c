/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every rank has a thread that waits for orders of anyone, also of its own rank, while the main threads compute. The
 * order to stop comes from the rank itself.
 *
 * EXPECT none
 * RANKS 3
 * CHECK openmpi
 */
#define _GNU_SOURCE
#include "program.h"

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { tag_order = 1, stop = 1 };

static void *serve(void *service)
{
    int order = 0;
    while (order != stop) {
        MPI_Recv(&order, 1, MPI_INT, MPI_ANY_SOURCE, tag_order, *(MPI_Comm *)service, MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int order = stop;
    MPI_Comm service;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_dup(MPI_COMM_WORLD, &service);
    MPI_Comm_rank(service, &rank);
    pthread_create(&thread, NULL, serve, &service);
    while (!told_to_end()) {
        compute(10);
    }
    MPI_Send(&order, 1, MPI_INT, rank, tag_order, service);
    pthread_join(thread, NULL);
    MPI_Comm_free(&service);
    MPI_Finalize();
    return 0;
}
