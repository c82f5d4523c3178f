/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For stack_test.py: ranks come to one MPI call in two ways, rank 3 computes, rank 5 has one more thread. Given "late",
 * rank 1 has not called MPI. Lives for five minutes at most.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEPARATE __attribute__((noinline))

static volatile double guess = 1;

SEPARATE static double global_sum(double value)
{
    double sum;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /* LINE(sum) */
    return sum;
}

SEPARATE static double residual(double value)
{
    return global_sum(value) + guess; /* LINE(residual) */
}

SEPARATE static double solve(double value)
{
    return residual(value) * guess; /* LINE(solve) */
}

SEPARATE static double statistics(double value)
{
    return global_sum(value) - guess; /* LINE(statistics) */
}

SEPARATE static double compute(void)
{
    while (guess > 0)
        guess = (guess + 2 / guess) / 2; /* LINE(compute) */
    return guess;
}

SEPARATE static void *work(void *unused)
{
    pause(); /* LINE(work) */
    return unused;
}

static int is_late(int argc, char **argv)
{
    const char *mpich = getenv("PMI_RANK"), *open_mpi = getenv("OMPI_COMM_WORLD_RANK");
    const char *rank = mpich != NULL ? mpich : open_mpi;
    return argc > 1 && strcmp(argv[1], "late") == 0 && rank != NULL && strcmp(rank, "1") == 0;
}

int main(int argc, char **argv)
{
    int rank;
    pthread_t thread;
    alarm(300);
    if (is_late(argc, argv))
        guess += compute(); /* LINE(late) */
    MPI_Init(&argc, &argv); /* LINE(init) */
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 5)
        pthread_create(&thread, NULL, work, NULL);
    if (rank == 3)
        guess += compute(); /* LINE(computing) */
    else if (rank == 4)
        guess += statistics(1); /* LINE(telling) */
    else
        guess += solve(1); /* LINE(solving) */
    MPI_Finalize();
    return 0;
}
