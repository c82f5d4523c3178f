/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints which integers of Fortran the objects of a program have. Where handles are addresses, some get their integer
 * when somebody asks for it, and the next one asked gets the next integer.
 */
#include <mpi.h>

#include <stdio.h>

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)length, (void)type;
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
}

int main(int argc, char **argv)
{
    static int values[4], sent[4];
    MPI_Request requests[4];
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Group group, again;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler errhandler;
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Comm_group(comm, &group);
    MPI_Group_incl(group, 1, (int[]){0}, &again);
    MPI_Op_create(add, 1, &op);
    MPI_Info_create(&info);
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    for (int i = 0; i < 4; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 0, i, comm, &requests[i]);
    printf("communicators %d %d\n", MPI_Comm_c2f(MPI_COMM_WORLD), MPI_Comm_c2f(comm));
    printf("datatypes %d %d\n", MPI_Type_c2f(MPI_INT), MPI_Type_c2f(type));
    printf("groups %d %d\n", MPI_Group_c2f(group), MPI_Group_c2f(again));
    printf("op %d\n", MPI_Op_c2f(op));
    printf("info %d\n", MPI_Info_c2f(info));
    printf("error handler %d\n", MPI_Errhandler_c2f(errhandler));
    printf("requests %d %d\n", MPI_Request_c2f(requests[3]), MPI_Request_c2f(requests[1]));
    for (int i = 0; i < 4; i++)
        MPI_Send(&sent[i], 1, MPI_INT, 0, i, comm);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    MPI_Errhandler_free(&errhandler);
    MPI_Info_free(&info);
    MPI_Op_free(&op);
    MPI_Group_free(&again);
    MPI_Group_free(&group);
    MPI_Type_free(&type);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
