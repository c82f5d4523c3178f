/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The workloads that make objects.
 */
#define _POSIX_C_SOURCE 200809L
#include "object_workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void make_communicator(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Comm communicator;
        traffic->calls->Comm_dup(traffic->communicator, &communicator);
        traffic->calls->Comm_free(&communicator);
    }
}

void make_cartesian_communicator(const struct traffic *traffic, int iterations)
{
    const int dimensions[] = {1, 1}, periods[] = {0, 1};
    for (int i = 0; i < iterations; i++) {
        MPI_Comm communicator;
        traffic->calls->Cart_create(traffic->communicator, 2, dimensions, periods, 0, &communicator);
        traffic->calls->Comm_free(&communicator);
    }
}

void make_group(const struct traffic *traffic, int iterations)
{
    const int first = 0;
    MPI_Group all;
    traffic->calls->Comm_group(traffic->communicator, &all);
    for (int i = 0; i < iterations; i++) {
        MPI_Group group;
        traffic->calls->Group_incl(all, 1, &first, &group);
        traffic->calls->Group_free(&group);
    }
    traffic->calls->Group_free(&all);
}

void make_datatype(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Datatype datatype;
        traffic->calls->Type_vector(4, 1, 4, MPI_INT, &datatype);
        traffic->calls->Type_commit(&datatype);
        traffic->calls->Type_free(&datatype);
    }
}

void make_struct_datatype(const struct traffic *traffic, int iterations)
{
    const int lengths[] = {1, 3};
    const MPI_Aint displacements[] = {0, 8};
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE};
    traffic->calls->Type_vector(2, 1, 2, MPI_DOUBLE, &parts[1]);
    for (int i = 0; i < iterations; i++) {
        MPI_Datatype datatype;
        traffic->calls->Type_create_struct(2, lengths, displacements, parts, &datatype);
        traffic->calls->Type_free(&datatype);
    }
    traffic->calls->Type_free(&parts[1]);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *datatype)
{
    (void)datatype;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((const int *)in)[i];
}

void make_op(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Op op;
        traffic->calls->Op_create(add, 1, &op);
        traffic->calls->Op_free(&op);
    }
}

static void handle_error(MPI_Comm *communicator, int *error, ...)
{
    (void)communicator;
    (void)error;
}

void make_errhandler(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Errhandler errhandler;
        traffic->calls->Comm_create_errhandler(handle_error, &errhandler);
        traffic->calls->Errhandler_free(&errhandler);
    }
}

void make_info(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Info info;
        traffic->calls->Info_create(&info);
        traffic->calls->Info_set(info, "access_style", "sequential");
        traffic->calls->Info_free(&info);
    }
}

void make_keyval(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        int keyval;
        traffic->calls->Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
        traffic->calls->Comm_free_keyval(&keyval);
    }
}

void make_window(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        void *memory;
        MPI_Win window;
        traffic->calls->Win_allocate(64, sizeof(int), MPI_INFO_NULL, traffic->communicator, (void *)&memory, &window);
        traffic->calls->Win_free(&window);
    }
}

void make_file(const struct traffic *traffic, int iterations)
{
    char name[] = "/tmp/mpilens-bench-XXXXXX";
    int descriptor = mkstemp(name);
    if (descriptor < 0) {
        perror("no temporary file");
        exit(1);
    }
    close(descriptor);
    for (int i = 0; i < iterations; i++) {
        MPI_File file;
        traffic->calls->File_open(traffic->communicator, name, MPI_MODE_RDWR, MPI_INFO_NULL, &file);
        traffic->calls->File_close(&file);
    }
    unlink(name);
}

#if MPI_VERSION >= 4
void make_session(const struct traffic *traffic, int iterations)
{
    for (int i = 0; i < iterations; i++) {
        MPI_Session session;
        traffic->calls->Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        traffic->calls->Session_finalize(&session);
    }
}
#endif
