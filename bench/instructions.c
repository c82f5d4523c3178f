/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many instructions does an operation take? Runs every workload with two numbers of iterations, after a run that
 * warms up, for callgrind to dump at the end of each measured_run(); prints what is measured, in the order of the
 * dumps: name, blocking and nonblocking operations of an iteration, iterations. The first dump, of one iteration, also
 * has a part of what came before.
 *
 * instructions [WORKLOAD...]
 * instructions --library     which MPI library this is
 */
#include "workloads.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

__attribute__((noinline, noclone)) void measured_run(const struct workload *workload, const struct traffic *traffic,
                                                     int iterations);

void measured_run(const struct workload *workload, const struct traffic *traffic, int iterations)
{
    workload->run(traffic, iterations);
    __asm__ volatile("" ::: "memory"); /* so that this function is still on the stack */
}

static bool is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc <= 1;
}

static int print_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    printf("%s\n", text);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--library") == 0)
        return print_library();
    MPI_Init(&argc, &argv);
    const struct calls calls = calls_linked();
    const struct traffic traffic = traffic_alone(&calls);
    for (size_t i = 0; i < workload_count; i++) {
        const struct workload *workload = &workloads[i];
        if (workload->ranks != 1 || !is_wanted(workload->name, argc, argv))
            continue;
        workload->run(&traffic, workload->iterations);
        for (int times = 0; times <= 2; times++) {
            const int iterations = times > 0 ? times * workload->iterations : 1;
            measured_run(workload, &traffic, iterations);
            printf("%s|%d|%d|%d\n", workload->name, workload->blocking, workload->nonblocking, iterations);
        }
    }
    MPI_Finalize();
    return 0;
}
