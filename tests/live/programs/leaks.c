/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes objects without freeing them: "LEAK COUNT KIND at RANKS" behind a line declares the leaks of each of these
 * ranks. All else is freed. Waits before and after MPI_Finalize where a file says so.
 */
#define _GNU_SOURCE
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { copies = 7 };

static void handle_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void first(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)length;
    (void)type;
}

/* Says that this rank has come here, by a file `name`-RANK, and waits while there is a file `name`. */
static void meet(const char *name, int rank)
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    const struct timespec pause = {.tv_nsec = 20000000};
    char path[4096];
    if (directory == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s/%s-%d", directory, name, rank);
    FILE *file = fopen(path, "w");
    if (file != NULL) {
        fclose(file);
    }
    snprintf(path, sizeof path, "%s/%s", directory, name);
    while (access(path, F_OK) == 0) {
        nanosleep(&pause, NULL);
    }
}

static void leave_much(int rank)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Group group;
    MPI_Info info;
    MPI_Op op;
    MPI_Request request;
    MPI_Errhandler errhandler;
    int keyval;
    static int value, taken;
    for (int i = 0; i < copies; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* LEAK 7 communicator at 0,1 */
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
    for (int i = 0; rank == 1 && i < copies; i++) {
        MPI_Type_contiguous(i, MPI_INT, &type); /* LEAK 7 datatype at 1 */
        MPI_Type_vector(1, 2, 3, type, &type);  /* LEAK 7 datatype at 1 */
    }
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Comm_group(MPI_COMM_WORLD, &group);                /* LEAK 1 group at 0,1 */
    MPI_Info_create(&info);                                /* LEAK 1 info at 0,1 */
    MPI_Op_create(first, 1, &op);                          /* LEAK 1 op at 0,1 */
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LEAK 1 errhandler at 0,1 */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL); /* LEAK 1 keyval at 0,1 */
    if (rank == 0) {
        MPI_Recv_init(&value, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &request); /* LEAK 1 request at 0 */
    }
    MPI_Isend(&value, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, &request);
    MPI_Recv(&taken, 1, MPI_INT, rank, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    leave_much(rank);
    meet("running", rank);
    MPI_Finalize();
    meet("finalized", rank);
    return argc > 1 ? atoi(argv[1]) : 0;
}
