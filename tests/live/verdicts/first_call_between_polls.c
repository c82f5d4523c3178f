/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One thread at a time: the main thread of rank 0 polls for an answer, and leaves MPI to the thread that computes what
 * rank 1 has to answer and that has not called MPI so far.
 *
 * EXPECT none
 * RANKS 2
 * CHECK mpich
 */
#define _GNU_SOURCE
#include "program.h"

#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { tag_result = 1, tag_answer = 2 };

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *result)
{
    while (!told_to_end()) {
        compute(10);
    }
    pthread_mutex_lock(&one_at_a_time);
    MPI_Send(result, 1, MPI_INT, 1, tag_result, MPI_COMM_WORLD);
    pthread_mutex_unlock(&one_at_a_time);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int result = 1;
    int answer = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int is_there = 0;
        pthread_t worker;
        pthread_create(&worker, NULL, work, &result);
        while (!is_there) {
            pthread_mutex_lock(&one_at_a_time);
            MPI_Iprobe(1, tag_answer, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
            pthread_mutex_unlock(&one_at_a_time);
            compute(1);
        }
        pthread_join(worker, NULL);
        MPI_Recv(&answer, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&answer, 1, MPI_INT, 0, tag_result, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&answer, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
