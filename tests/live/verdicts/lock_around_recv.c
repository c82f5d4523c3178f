/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One lock around all calls of MPI: a thread of rank 0 holds it in its receive, and the main thread waits for it to
 * send what rank 1 wants first.
 *
 * EXPECT deadlock ranks 0,1 culprits 0,1 lines answer,lock,question
 * RANKS 2
 * WITHOUT boxes
 * CHECK openmpi
 */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t is_locked;

static void *receive(void *nothing)
{
    int answer;
    pthread_mutex_lock(&lock);
    sem_post(&is_locked);
    MPI_Recv(&answer, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(answer) */
    pthread_mutex_unlock(&lock);
    return nothing;
}

static void ask(void)
{
    const int question = 1;
    pthread_t receiver;
    sem_init(&is_locked, 0, 0);
    pthread_create(&receiver, NULL, receive, NULL);
    sem_wait(&is_locked);
    pthread_mutex_lock(&lock); /* LINE(lock) */
    MPI_Send(&question, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    pthread_mutex_unlock(&lock);
    pthread_join(receiver, NULL);
}

int main(int argc, char **argv)
{
    int rank;
    int provided;
    int question;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        ask();
    } else {
        MPI_Recv(&question, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(question) */
        MPI_Send(&question, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
