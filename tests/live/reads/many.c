/* SPDX-License-Identifier: BSD-3-Clause
 *
 * many COUNT: a job of one process without a launcher, with COUNT receives pending. Says "ready" and lives until its
 * standard input ends.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const int count = argc == 2 ? atoi(argv[1]) : 0;
    MPI_Request *requests = malloc((size_t)count * sizeof(MPI_Request));
    int *values = malloc((size_t)count * sizeof *values);
    char byte;
    if (count <= 0 || requests == NULL || values == NULL)
        return 2;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < count; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 0, i % 32768, MPI_COMM_SELF, &requests[i]);
    printf("ready\n");
    fflush(stdout);
    while (read(STDIN_FILENO, &byte, 1) > 0)
        continue;
    _exit(0); /* they stay pending */
}
