/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process with very many pending receives. Prints how much its memory has grown by them, and how much of that the
 * runtime says is its own; then waits for its standard input to end, for somebody to look at it.
 *
 * pending_operations COUNT self|null
 *   self  posted to the process itself: really pending
 *   null  posted to MPI_PROC_NULL: complete at once, but not collected
 * prints: resident bytes, bytes mapped by the runtime (0: no runtime)
 */
#define _GNU_SOURCE
#include "mpilens/layout.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long resident_bytes(void)
{
    char line[256];
    unsigned long kilobytes = 0;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    if (!file)
        exit(1);
    while (fgets(line, sizeof line, file) && sscanf(line, "Rss: %lu", &kilobytes) != 1)
        ;
    fclose(file);
    return kilobytes * 1024;
}

static unsigned long runtime_bytes(void)
{
    const struct mpilens_process *process = dlsym(RTLD_DEFAULT, "mpilens_process");
    return process ? process->memory_bytes : 0;
}

int main(int argc, char **argv)
{
    const int count = argc == 3 ? atoi(argv[1]) : 0;
    const int source = argc == 3 && strcmp(argv[2], "null") == 0 ? MPI_PROC_NULL : 0;
    MPI_Request *requests = malloc((size_t)count * sizeof(MPI_Request));
    int *values = malloc((size_t)count * sizeof(int));
    if (count <= 0 || !requests || !values)
        return 2;
    memset(requests, 1, (size_t)count * sizeof *requests); /* resident before anything is measured */
    MPI_Init(&argc, &argv);
    MPI_Send(values, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    const unsigned long resident = resident_bytes();
    const unsigned long runtime = runtime_bytes();
    for (int i = 0; i < count; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, source, i % 32768, MPI_COMM_SELF, &requests[i]);
    printf("%lu %lu\n", resident_bytes() - resident, runtime_bytes() - runtime);
    fflush(stdout);
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0)
        ;
    _exit(0); /* they stay pending */
}
