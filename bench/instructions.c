/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many instructions does an operation take? Runs every workload with two numbers of iterations, after a run that
 * warms up, for callgrind to dump at the end of each measured_run(); prints what is measured, in the order of the
 * dumps: name, blocking and nonblocking operations of an iteration, iterations.
 */
#include "workloads.h"

#include <stdio.h>

__attribute__((noinline, noclone)) void measured_run(const struct workload *workload, const struct traffic *traffic,
                                                     int iterations);

void measured_run(const struct workload *workload, const struct traffic *traffic, int iterations)
{
    workload->run(traffic, iterations);
    __asm__ volatile("" ::: "memory"); /* so that this function is still on the stack */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const struct calls calls = calls_linked();
    const struct traffic traffic = traffic_alone(&calls);
    for (size_t i = 0; i < workload_count; i++) {
        const struct workload *workload = &workloads[i];
        if (workload->ranks != 1)
            continue;
        workload->run(&traffic, workload->iterations);
        for (int times = 1; times <= 2; times++) {
            measured_run(workload, &traffic, times * workload->iterations);
            printf("%s|%d|%d|%d\n", workload->name, workload->blocking, workload->nonblocking,
                   times * workload->iterations);
        }
    }
    MPI_Finalize();
    return 0;
}
