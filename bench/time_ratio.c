/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much slower is MPI with the runtime? Runs every workload through the preloaded wrappers and past them, in turns
 * within one process; prints nanoseconds of an iteration and the ratio. One rank: MPI_PROC_NULL and itself; two ranks:
 * between them.
 */
#include "rounds.h"
#include "workloads.h"

#include <stdio.h>

static const double batch_seconds = 5e-4;

/* All ranks begin together; of the time that it takes, rank 0's counts. */
static double run_batch(const struct calls *calls, const struct workload *workload, int iterations)
{
    const struct traffic traffic = workload->ranks == 1 ? traffic_alone(calls) : traffic_of_two(calls);
    calls->Barrier(MPI_COMM_WORLD);
    const double begin = rounds_now();
    workload->run(&traffic, iterations);
    return rounds_now() - begin;
}

/* The same number for all ranks. */
static int choose_iterations(const struct calls *calls, const struct workload *workload)
{
    int iterations = workload->iterations;
    int enough = 0;
    while (!enough) {
        enough = run_batch(calls, workload, iterations) >= batch_seconds;
        MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (!enough)
            iterations *= 2;
    }
    return iterations;
}

static void measure(const struct calls calls[WAYS], const struct workload *workload, int rank)
{
    struct rounds rounds;
    const int iterations = choose_iterations(&calls[TRACKED], workload);
    for (int round = 0; round < ROUNDS; round++)
        for (int turn = 0; turn < WAYS; turn++) {
            const enum way way = rounds_way(round, turn);
            rounds.seconds[way][round] = run_batch(&calls[way], workload, iterations);
        }
    const struct ratio ratio = rounds_ratio(&rounds);
    if (rank == 0)
        printf("%-28s %10.1f %10.1f %8.3f %8.3f %8.3f %8.3f\n", workload->name, ratio.direct_seconds / iterations * 1e9,
               ratio.tracked_seconds / iterations * 1e9, ratio.lower_quartile, ratio.median, ratio.upper_quartile,
               ratio.of_fastest);
}

int main(int argc, char **argv)
{
    struct calls calls[WAYS];
    int size;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rounds_calls(calls);
    if (rank == 0)
        printf("Nanoseconds per iteration, and their ratio, with %d rank%s\n%-28s %10s %10s %8s %8s %8s %8s\n", size,
               size == 1 ? "" : "s", "", "bare", "tracked", "quartile", "ratio", "quartile", "fastest");
    for (size_t i = 0; i < workload_count; i++)
        if (workloads[i].ranks == size && !workloads[i].prepares_much)
            measure(calls, &workloads[i], rank);
    MPI_Finalize();
    return 0;
}
