/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of a program that only begins and ends MPI: each rank prints the microseconds of processor time of its
 * process, user and system, from its start to the end of MPI_Finalize, and the bytes that it has written.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* In smaps_rollup: written by this process. */
static unsigned long written_bytes(void)
{
    char line[256];
    unsigned long sum = 0;
    unsigned long kilobytes;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    if (!file)
        exit(1);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "Private_Dirty: %lu", &kilobytes) == 1)
            sum += kilobytes * 1024;
    fclose(file);
    return sum;
}

int main(int argc, char **argv)
{
    struct timespec used;
    MPI_Init(&argc, &argv);
    const unsigned long bytes = written_bytes();
    MPI_Finalize();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    printf("%ld %lu\n", used.tv_sec * 1000000 + used.tv_nsec / 1000, bytes);
    return 0;
}
