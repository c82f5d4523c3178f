/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 waits for a generalized request that a thread of it completes after long work: its first call of MPI, in a
 * program that did not ask for several threads in MPI.
 *
 * EXPECT none
 * RANKS 2
 * CHECK mpich openmpi
 */
#define _GNU_SOURCE
#include "program.h"

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state;
    (void)complete;
    return MPI_SUCCESS;
}

static void *work(void *request)
{
    while (!told_to_end()) {
        compute(10);
    }
    MPI_Grequest_complete(*(MPI_Request *)request);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t worker;
        MPI_Request request;
        MPI_Request for_worker;
        MPI_Grequest_start(query, release, cancel, NULL, &request);
        for_worker = request;
        pthread_create(&worker, NULL, work, &for_worker);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(worker, NULL);
        MPI_Send(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
