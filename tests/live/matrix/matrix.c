/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program of the language matrix, in C and, by another compiler, in C++: operations and objects of many kinds,
 * alive, then rank 0 receives what nobody sends and the others wait for it. matrix.F90 and matrix.py are the same
 * program line by line.
 */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { large = 1 << 18, life_seconds = 1200 };

static int out[large], in[6], memory[4], values[3];

static void add(void *left, void *right, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++) {
        ((int *)right)[i] += ((int *)left)[i];
    }
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    abort();
}

int main(int argc, char **argv)
{
    int rank, half_rank, keyval, first_rank[1] = {0};
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm half;
    MPI_Datatype vector, pair;
    MPI_Group group, first;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler errhandler;
    MPI_Win window;
    MPI_Request done[2], pending[8];
    MPI_Status statuses[2];

    alarm(life_seconds);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_split(world, rank % 2, rank, &half); /* LINE(split) */
    MPI_Comm_set_name(half, "half");
    MPI_Comm_rank(half, &half_rank);
    int peer = 1 - half_rank;
    MPI_Type_vector(3, 1, 2, MPI_INT, &vector); /* LINE(vector) */
    MPI_Type_commit(&vector);
    MPI_Type_contiguous(2, vector, &pair);                                                 /* LINE(contiguous) */
    MPI_Comm_group(half, &group);                                                          /* LINE(group) */
    MPI_Group_incl(group, 1, first_rank, &first);                                          /* LINE(incl) */
    MPI_Op_create(add, 1, &op);                                                            /* LINE(op) */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL); /* LINE(keyval) */
    MPI_Comm_set_attr(half, keyval, values);                                               /* LINE(attribute) */
    MPI_Info_create(&info);                                                                /* LINE(info) */
    MPI_Info_set(info, "key", "value");
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LINE(errhandler) */
    MPI_Comm_set_errhandler(half, errhandler);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, world, &window); /* LINE(window) */

    MPI_Irecv(in, 1, vector, peer, 1, half, &done[0]);
    MPI_Isend(out, 3, MPI_INT, peer, 1, half, &done[1]);
    MPI_Waitall(2, done, statuses);
    MPI_Bcast(values, 3, MPI_INT, 0, world); /* LINE(bcast) */

    MPI_Irecv(in, 1, vector, peer, 2, half, &pending[0]);          /* LINE(irecv) */
    MPI_Isend(out, large, MPI_INT, peer, 3, half, &pending[1]);    /* LINE(isend) */
    MPI_Ssend_init(out, 2, MPI_INT, peer, 4, half, &pending[2]);   /* LINE(ssend_init) */
    MPI_Recv_init(values, 3, MPI_INT, peer, 5, half, &pending[3]); /* LINE(recv_init) */
    MPI_Start(&pending[3]);                                        /* LINE(start) */
    MPI_Irecv(MPI_BOTTOM, 0, MPI_INT, peer, 7, half, &pending[7]); /* LINE(bottom) */
    if (rank == 0) {
        MPI_Recv(values, 3, MPI_INT, 1, 6, world, statuses); /* LINE(recv) */
    }
    MPI_Iallreduce(MPI_IN_PLACE, values, 3, MPI_INT, op, world, &pending[4]); /* LINE(iallreduce) */
    MPI_Ibcast(values, 3, MPI_INT, 0, world, &pending[5]);                    /* LINE(ibcast) */
    MPI_Ibarrier(world, &pending[6]);                                         /* LINE(ibarrier) */
    MPI_Wait(&pending[6], statuses);                                          /* LINE(wait) */
    MPI_Finalize();
    return 0;
}
