/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The main thread of rank 0 keeps the lock of a table while it waits for rank 1; the thread that would send what rank 1
 * waits for has not called MPI so far and wants the same lock.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines answer,request,lock
 * RANKS 2
 * WITHOUT boxes
 * CHECK mpich
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

enum { tag_request = 1, tag_answer = 2 };

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static void *ask(void *value)
{
    pthread_mutex_lock(&table); /* LINE(lock) */
    MPI_Send(value, 1, MPI_INT, 1, tag_request, MPI_COMM_WORLD);
    pthread_mutex_unlock(&table);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    int value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t asking;
        int asked = 1;
        pthread_mutex_lock(&table);
        pthread_create(&asking, NULL, ask, &asked);
        MPI_Recv(&value, 1, MPI_INT, 1, tag_answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(answer) */
        pthread_mutex_unlock(&table);
        pthread_join(asking, NULL);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, tag_request, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(request) */
        MPI_Send(&value, 1, MPI_INT, 0, tag_answer, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
