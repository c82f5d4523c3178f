/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two ranks that wait for each other for ever; with "one computes" rank 1 never comes to MPI, with "both compute"
 * neither does. They rest most of the time, unless there is the argument "spin": guard counts only time in which ranks
 * could run, and ranks that spin take that time from each other and from the tests.
 */
#define _GNU_SOURCE
#include "rest.h"

#include <mpi.h>
#include <string.h>
#include <unistd.h>

static void compute(void)
{
    volatile int turns = 1;
    while (turns > 0)
        turns = turns % 1000 + 1;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    alarm(300);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(how, "spin") != 0)
        rest_often(200);
    if (strcmp(how, "both compute") == 0 || (strcmp(how, "one computes") == 0 && rank == 1))
        compute();
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&value, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
