/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that can be named has the name that ODD_NAME says. Rank 0 waits for a message that nobody sends, the others for
 * rank 0.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

static void tell_ready(int rank)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/ready", getenv("MPILENS_LIVE_DIRECTORY"));
    FILE *pipe = fopen(path, "w");
    if (pipe == NULL) {
        abort();
    }
    fprintf(pipe, "%d\n", rank);
    fclose(pipe);
}

static MPI_Comm comm;
static MPI_Datatype type;
static MPI_Info info;

#line 1000 "exchange_of_halos_in_three_dimensions.c"
__attribute__((noinline)) static void exchange_all_halos_in_all_directions_until_nothing_changes(int rank)
{
    static int values[3];
    tell_ready(rank);
    if (rank == 0) {
        MPI_Recv(values, 1, type, 1, 6, comm, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(comm);
}

int main(int argument_count, char **arguments)
{
    const char *name = getenv("ODD_NAME");
    static int memory[3];
    int rank;
    char key[MPI_MAX_INFO_KEY]; /* may be shorter than the name */
    MPI_Request request;
    MPI_Init(&argument_count, &arguments);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    snprintf(key, sizeof key, "%s", name);
    MPI_Info_set(info, key, name);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_name(comm, name);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_set_name(type, name);
    MPI_Irecv(memory, 1, type, 0, 5, comm, &request);
    exchange_all_halos_in_all_directions_until_nothing_changes(rank);
    MPI_Finalize();
}
