/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 1 makes a call that MPI ends the job for: the case that the first argument names. fatal_errors_test.py reads
 * what is to be said from the lines: CASE(name, error classes that MPIs give, call).
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *wanted;
static int rank;

#define ONLY(which, name) (rank == (which) && strcmp(wanted, #name) == 0)
#define CASE(name, classes, call)                                                                                      \
    do {                                                                                                               \
        if (ONLY(1, name))                                                                                             \
            call;                                                                                                      \
    } while (0)

static int in[64], out[64];

static void messages(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    CASE(send_count, MPI_ERR_COUNT, MPI_Send(out, -1, MPI_INT, 0, 3, MPI_COMM_WORLD));
    CASE(send_tag, MPI_ERR_TAG, MPI_Send(out, 1, MPI_INT, 0, -5, MPI_COMM_WORLD));
    CASE(send_rank, MPI_ERR_RANK, MPI_Send(out, 1, MPI_INT, 99, 3, MPI_COMM_WORLD));
    CASE(send_type, MPI_ERR_TYPE, MPI_Send(out, 1, MPI_DATATYPE_NULL, 0, 3, MPI_COMM_WORLD));
    CASE(send_comm, MPI_ERR_COMM, MPI_Send(out, 1, MPI_INT, 0, 3, MPI_COMM_NULL));
    CASE(ssend_rank, MPI_ERR_RANK, MPI_Ssend(out, 1, MPI_INT, -7, 3, MPI_COMM_WORLD));
    CASE(isend_tag, MPI_ERR_TAG, MPI_Isend(out, 1, MPI_INT, 0, -5, MPI_COMM_WORLD, &request));
    CASE(send_init_count, MPI_ERR_COUNT, MPI_Send_init(out, -2, MPI_INT, 0, 3, MPI_COMM_WORLD, &request));
    CASE(recv_count, MPI_ERR_COUNT, MPI_Recv(in, -1, MPI_INT, 0, 3, MPI_COMM_WORLD, &status));
    CASE(recv_rank, MPI_ERR_RANK, MPI_Recv(in, 1, MPI_INT, 99, 3, MPI_COMM_WORLD, &status));
    CASE(recv_tag, MPI_ERR_TAG, MPI_Recv(in, 1, MPI_INT, 0, -9, MPI_COMM_WORLD, &status));
    CASE(irecv_type, MPI_ERR_TYPE, MPI_Irecv(in, 1, MPI_DATATYPE_NULL, 0, 3, MPI_COMM_WORLD, &request));
    CASE(probe_rank, MPI_ERR_RANK, MPI_Probe(99, 3, MPI_COMM_WORLD, &status));
    CASE(sendrecv_count, MPI_ERR_COUNT,
         MPI_Sendrecv(out, 1, MPI_INT, 0, 3, in, -1, MPI_INT, 0, 3, MPI_COMM_WORLD, &status));
}

/* The message of rank 0 is longer than what rank 1 has room for. */
static void truncation(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    if (rank == 0 && strncmp(wanted, "truncate_", strlen("truncate_")) == 0)
        MPI_Send(out, 10, MPI_INT, 1, 3, MPI_COMM_WORLD); /* SENDER */
    CASE(truncate_recv, MPI_ERR_TRUNCATE, MPI_Recv(in, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, &status));
    CASE(truncate_any, MPI_ERR_TRUNCATE, MPI_Recv(in, 8, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status));
    if (ONLY(1, truncate_wait))
        MPI_Irecv(in, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, &request);
    CASE(truncate_wait, MPI_ERR_TRUNCATE, MPI_Wait(&request, &status));
    CASE(truncate_sendrecv, MPI_ERR_TRUNCATE,
         MPI_Sendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 3, in, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, &status));
}

static void collectives(void)
{
    MPI_Comm made = MPI_COMM_NULL;
    CASE(bcast_root, MPI_ERR_ROOT, MPI_Bcast(out, 1, MPI_INT, 99, MPI_COMM_WORLD));
    CASE(bcast_count, MPI_ERR_COUNT, MPI_Bcast(out, -1, MPI_INT, 0, MPI_COMM_WORLD));
    CASE(barrier_comm, MPI_ERR_COMM, MPI_Barrier(MPI_COMM_NULL));
    CASE(allreduce_op, MPI_ERR_OP, MPI_Allreduce(out, in, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD));
    CASE(reduce_type, MPI_ERR_TYPE | MPI_ERR_OP, MPI_Reduce(out, in, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, MPI_COMM_WORLD));
    CASE(gather_root, MPI_ERR_ROOT, MPI_Gather(out, 1, MPI_INT, in, 1, MPI_INT, -3, MPI_COMM_WORLD));
    CASE(alltoall_count, MPI_ERR_COUNT, MPI_Alltoall(out, -1, MPI_INT, in, -1, MPI_INT, MPI_COMM_WORLD));
    CASE(dup_comm, MPI_ERR_COMM, MPI_Comm_dup(MPI_COMM_NULL, &made));
}

static void objects(void)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Group group, other = MPI_GROUP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Win window = MPI_WIN_NULL;
    int ranks[] = {99}, dimensions[] = {7, 0}, coordinates[2];
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    CASE(vector_count, MPI_ERR_COUNT | MPI_ERR_ARG, MPI_Type_vector(-1, 1, 1, MPI_INT, &type));
    CASE(contiguous_type, MPI_ERR_TYPE, MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type));
    CASE(commit_type, MPI_ERR_TYPE, MPI_Type_commit(&type));
    CASE(incl_rank, MPI_ERR_RANK, MPI_Group_incl(group, 1, ranks, &other));
    CASE(group_free, MPI_ERR_GROUP, MPI_Group_free(&other));
    CASE(dims, MPI_ERR_DIMS, MPI_Dims_create(6, 2, dimensions));
    CASE(cart_coords, MPI_ERR_TOPOLOGY, MPI_Cart_coords(MPI_COMM_WORLD, 0, 2, coordinates));
    CASE(info_free, MPI_ERR_INFO | MPI_ERR_ARG, MPI_Info_free(&info));
    CASE(comm_free, MPI_ERR_COMM, MPI_Comm_free(&(MPI_Comm){MPI_COMM_NULL}));
    CASE(fence_window, MPI_ERR_WIN, MPI_Win_fence(0, window));
    MPI_Group_free(&group);
}

static void windows(void)
{
    MPI_Win window;
    MPI_Win_create(in, sizeof in, sizeof *in, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    CASE(put_rank, MPI_ERR_RANK, MPI_Put(out, 1, MPI_INT, 99, 0, 1, MPI_INT, window));
    CASE(get_count, MPI_ERR_COUNT, MPI_Get(out, -1, MPI_INT, 0, 0, 1, MPI_INT, window));
    CASE(lock_type, MPI_ERR_LOCKTYPE | MPI_ERR_ARG, MPI_Win_lock(4711, 0, 0, window));
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

int main(int argc, char **argv)
{
    wanted = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    messages();
    truncation();
    collectives();
    objects();
    windows();
    CASE(abort, , MPI_Abort(MPI_COMM_WORLD, 7));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
