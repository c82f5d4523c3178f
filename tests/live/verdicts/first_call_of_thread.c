/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread of rank 0 computes before it calls MPI for the first time: it sends what rank 1 waits for, and rank 1 then
 * answers what the main thread of rank 0 waits for.
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

enum { tag_result = 1, tag_answer = 2 };

static void *work(void *result)
{
    while (!told_to_end()) {
        compute(10);
    }
    MPI_Send(result, 1, MPI_INT, 1, tag_result, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int result = 1;
    int answer = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t worker;
        pthread_create(&worker, NULL, work, &result);
        MPI_Recv(&answer, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(worker, NULL);
    } else {
        MPI_Recv(&answer, 1, MPI_INT, 0, tag_result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answer, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
