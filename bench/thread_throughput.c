/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Do threads get into each other's way in the runtime? With MPI_THREAD_MULTIPLE, 1 and 2 threads do the same at the
 * same time, each on a communicator of its own, through the preloaded wrappers and past them, in turns; prints
 * iterations of all threads per microsecond and the ratio of the throughputs.
 */
#define _GNU_SOURCE
#include "rounds.h"
#include "workloads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 2, ITERATIONS = 4096 };

struct team {
    const struct workload *workload;
    const struct calls *calls; /* [WAYS] */
    int threads;
    pthread_barrier_t barrier;
    MPI_Comm communicators[MOST_THREADS];
    struct rounds rounds; /* written by the first thread */
};

struct member {
    struct team *team;
    int index;
};

static void *work(void *argument)
{
    const struct member *member = argument;
    struct team *team = member->team;
    for (int round = -1; round < ROUNDS; round++) /* the first warms up */
        for (int turn = 0; turn < WAYS; turn++) {
            const enum way way = rounds_way(round + WAYS, turn);
            struct traffic traffic = traffic_alone(&team->calls[way]);
            traffic.communicator = team->communicators[member->index];
            pthread_barrier_wait(&team->barrier);
            const double begin = rounds_now();
            team->workload->run(&traffic, ITERATIONS);
            pthread_barrier_wait(&team->barrier);
            if (round >= 0 && member->index == 0)
                team->rounds.seconds[way][round] = rounds_now() - begin;
        }
    return NULL;
}

static void measure(struct team *team)
{
    pthread_t threads[MOST_THREADS];
    struct member members[MOST_THREADS];
    pthread_barrier_init(&team->barrier, NULL, (unsigned)team->threads);
    for (int i = 0; i < team->threads; i++) {
        members[i] = (struct member){team, i};
        if (pthread_create(&threads[i], NULL, work, &members[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < team->threads; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&team->barrier);
    const struct ratio ratio = rounds_ratio(&team->rounds);
    const double iterations_us = (double)team->threads * ITERATIONS * 1e-6;
    printf("%-28s %7d %10.3f %10.3f %8.3f %8.3f %8.3f %8.3f\n", team->workload->name, team->threads,
           iterations_us / ratio.direct_seconds, iterations_us / ratio.tracked_seconds, 1 / ratio.upper_quartile,
           1 / ratio.median, 1 / ratio.lower_quartile, 1 / ratio.of_fastest);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"Send, null", "Isend Wait, null", "Irecv Isend Waitall, self"};
    struct calls calls[WAYS];
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE) {
        printf("skipped: the MPI library has no MPI_THREAD_MULTIPLE\n");
        return 77;
    }
    rounds_calls(calls);
    struct team team = {.calls = calls};
    for (int i = 0; i < MOST_THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &team.communicators[i]);
    printf(
        "Iterations per microsecond, and their ratio, with MPI_THREAD_MULTIPLE\n%-28s %7s %10s %10s %8s %8s %8s %8s\n",
        "", "threads", "bare", "tracked", "quartile", "ratio", "quartile", "fastest");
    for (size_t name = 0; name < sizeof names / sizeof names[0]; name++)
        for (size_t i = 0; i < workload_count; i++)
            for (team.threads = 1; strcmp(workloads[i].name, names[name]) == 0 && team.threads <= MOST_THREADS;
                 team.threads++) {
                team.workload = &workloads[i];
                measure(&team);
            }
    for (int i = 0; i < MOST_THREADS; i++)
        MPI_Comm_free(&team.communicators[i]);
    MPI_Finalize();
    return 0;
}
