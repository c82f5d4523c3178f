/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: handles of every kind in variables, for gdb to print. gdb_test.py knows the names and the LINE marks.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void keep_first(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)length;
    (void)type;
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void receive(MPI_Comm comm, MPI_Datatype type, MPI_Request request, int source, int *value)
{
    MPI_Recv(value, 1, type, source, 3, comm, MPI_STATUS_IGNORE); /* LINE(recv) */
    printf("%d\n", (int)(request == MPI_REQUEST_NULL));
}

int main(int argc, char **argv)
{
    int rank, keyval, value = 7, got[4], window_memory[4] = {0};
    double numbers[8] = {0};
    char path[512];
    MPI_Comm world, row, inter, freed, null_comm = MPI_COMM_NULL, garbage;
    MPI_Datatype basic = MPI_DOUBLE, column, pair;
    MPI_Group row_group;
    MPI_Op op, sum = MPI_SUM;
    MPI_Errhandler errhandler;
    MPI_Info info;
    MPI_Win window;
    MPI_File file;
    MPI_Request sent[2], pending, inactive, null_request = MPI_REQUEST_NULL;
    MPI_Status status;
    alarm(1200);
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank); /* LINE(rank) */
    memset(&garbage, 0x5a, sizeof garbage);

    MPI_Cart_create(world, 2, (int[]){2, 1}, (int[]){1, 0}, 0, &row); /* LINE(row) */
    MPI_Comm_set_name(row, "row");
    MPI_Intercomm_create(MPI_COMM_SELF, 0, world, 1 - rank, 9, &inter); /* LINE(inter) */
    MPI_Type_vector(4, 1, 2, basic, &column);                           /* LINE(column) */
    MPI_Type_set_name(column, "column");
    MPI_Type_commit(&column);
    MPI_Type_contiguous(2, column, &pair);                 /* LINE(pair) */
    MPI_Comm_group(row, &row_group);                       /* LINE(group) */
    MPI_Op_create(keep_first, 1, &op);                     /* LINE(op) */
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LINE(errhandler) */
    MPI_Comm_set_errhandler(row, errhandler);
    MPI_Info_create(&info); /* LINE(info) */
    MPI_Info_set(info, "access_style", "write_once");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL); /* LINE(keyval) */
    MPI_Comm_set_attr(row, keyval, &value);
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, row, &window); /* LINE(window) */
    MPI_Win_set_name(window, "halo");
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window); /* LINE(lock) */
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    snprintf(path, sizeof path, "%s/data", directory ? directory : "/tmp");
    MPI_File_open(row, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file); /* LINE(file) */
    MPI_Sendrecv(numbers, 1, column, rank, 5, numbers, 4, basic, rank, 5, world, &status);

    MPI_Comm_dup(world, &freed);                              /* LINE(freed) */
    MPI_Irecv(got, 4, MPI_INT, 1 - rank, 8, freed, &pending); /* LINE(pending) */
    MPI_Comm stale = freed;
    MPI_Comm_free(&freed);                                         /* LINE(free) */
    MPI_Send_init(numbers, 3, basic, 1 - rank, 4, row, &inactive); /* LINE(inactive) */
    /* Complete at once: both MPIs give them one handle. */
    MPI_Isend(&value, 1, MPI_INT, 1 - rank, 6, world, &sent[0]); /* LINE(sent) */
    MPI_Isend(&value, 1, MPI_INT, 1 - rank, 7, world, &sent[1]); /* LINE(sent_too) */
    receive(row, MPI_INT, inactive, 1 - rank, &value);
    printf("%d %d\n", (int)(stale == garbage), (int)(null_comm == inter));
    printf("%d %d\n", (int)(null_request == inactive), (int)(sum == op));
    MPI_Finalize();
    return 0;
}
