/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring of messages that goes on until there is a file "end" in the directory of the test; then rank 1 ends as the
 * argument says: "segv", "segv error" after a call that MPI has failed, "exit STATUS" without MPI_Finalize, or "kill".
 * With MPILENS_TEST_RESTS in the environment, ranks that wait do not spin.
 */
#define _GNU_SOURCE
#include "../guard/rest.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_told_to_end(void)
{
    char path[4096];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    if (directory == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/end", directory);
    return access(path, F_OK) == 0;
}

static void send_to_nobody(void)
{
    int size, value = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(&value, 1, MPI_INT, size, 0, MPI_COMM_WORLD);
}

static void end_as(char **how)
{
    if (strcmp(how[0], "segv") == 0) {
        if (how[1] != NULL)
            send_to_nobody();
        signal(SIGSEGV, SIG_DFL); /* libraries of the MPI may handle it */
        raise(SIGSEGV);
    }
    if (strcmp(how[0], "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how[0], "exit") == 0)
        exit(atoi(how[1]));
}

int main(int argc, char **argv)
{
    int rank, size, value = 0, end = 0;
    MPI_Init(&argc, &argv);
    alarm(300);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (getenv("MPILENS_TEST_RESTS") != NULL)
        rest_often(20);
    while (!end) {
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
        end = rank == 1 && is_told_to_end();
        if (end && argc > 1)
            end_as(argv + 1);
        MPI_Bcast(&end, 1, MPI_INT, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
