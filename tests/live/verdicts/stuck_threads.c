/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 never comes to the barrier: its three worker threads compute for ever, and its main thread joins them.
 *
 * EXPECT waiting-for-rank ranks 0,1 culprits 1 lines barrier,join,work
 * RANKS 2
 * WITHOUT boxes
 * OPTIONS --patience 1
 * CHECK openmpi
 */
#define _GNU_SOURCE
#include "program.h"

#include <mpi.h>
#include <pthread.h>

enum { workers = 3 };

static void *work(void *converged)
{
    while (!__atomic_load_n((int *)converged, __ATOMIC_RELAXED)) {
        compute(50); /* LINE(work) */
    }
    return NULL;
}

static void solve(void)
{
    static int converged;
    pthread_t threads[workers];
    for (int i = 0; i < workers; i++) {
        pthread_create(&threads[i], NULL, work, &converged);
    }
    for (int i = 0; i < workers; i++) {
        pthread_join(threads[i], NULL); /* LINE(join) */
    }
}

int main(int argc, char **argv)
{
    int rank;
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        solve();
    }
    MPI_Barrier(MPI_COMM_WORLD); /* LINE(barrier) */
    MPI_Finalize();
    return 0;
}
