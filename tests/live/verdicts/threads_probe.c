/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two threads probe, both see the same message, and both receive it by what the probe says: one gets it, the other
 * waits.
 *
 * EXPECT no-match ranks 0,1 culprits 0 lines receive
 * SAYS another thread
 * RANKS 2
 * CHECK mpich
 */
#define _XOPEN_SOURCE 700 /* barriers of threads */
#include <mpi.h>
#include <pthread.h>

static pthread_barrier_t both_have_probed;

static void *probe_and_receive(void *unused)
{
    int value;
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    pthread_barrier_wait(&both_have_probed);
    MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(receive) */
    return unused;
}

int main(int argc, char **argv)
{
    int level, rank, value = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t other;
        pthread_barrier_init(&both_have_probed, NULL, 2);
        pthread_create(&other, NULL, probe_and_receive, NULL);
        probe_and_receive(NULL);
        pthread_join(other, NULL);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
