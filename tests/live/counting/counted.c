/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes calls of many kinds, right ones twice, and wrong ones; two ranks do the same. A library between the runtime and
 * MPI (counting_test.py) counts what the runtime asks MPI meanwhile; prints that for each call, and "BEFORE" where it
 * has asked about the handle in question before MPI had accepted it.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

/* Functions of that library. */
void counting_begin(const char *call, uintptr_t handle);
void counting_end(int error);

#define CALL(function, handle, arguments)                                                                              \
    do {                                                                                                               \
        counting_begin(#function, (uintptr_t)(handle));                                                                \
        counting_end(function arguments);                                                                              \
    } while (0)

static int values[64], others[64];

static void exchange(MPI_Datatype type, MPI_Comm communicator)
{
    MPI_Request requests[2];
    CALL(MPI_Irecv, type, (others, 1, type, 0, 3, communicator, &requests[0]));
    CALL(MPI_Isend, type, (values, 1, type, 0, 3, communicator, &requests[1]));
    CALL(MPI_Waitall, 0, (2, requests, MPI_STATUSES_IGNORE));
    CALL(MPI_Sendrecv, communicator, (values, 1, type, 0, 4, others, 1, type, 0, 4, communicator, MPI_STATUS_IGNORE));
}

static void make_right_calls(void)
{
    MPI_Datatype vector;
    MPI_Comm copy;
    MPI_Group group;
    MPI_Win window;
    MPI_Info info;
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    MPI_Info_create(&info);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_group(copy, &group);
    MPI_Win_create(values, sizeof values, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < 2; i++) {
        printf("round %d\n", i);
        exchange(MPI_INT, MPI_COMM_SELF);
        exchange(vector, copy);
        CALL(MPI_Allreduce, copy, (values, others, 1, MPI_INT, MPI_SUM, copy));
        CALL(MPI_Win_fence, window, (0, window));
        CALL(MPI_Put, window, (others, 1, MPI_INT, 0, 0, 1, MPI_INT, window));
        CALL(MPI_Win_fence, window, (0, window));
        CALL(MPI_Barrier, copy, (copy));
    }
    printf("made\n");
    CALL(MPI_Info_set, info, (info, "key", "value"));
    CALL(MPI_Type_dup, vector, (vector, &(MPI_Datatype){MPI_DATATYPE_NULL}));
    CALL(MPI_Comm_dup, copy, (copy, &(MPI_Comm){MPI_COMM_NULL}));
    CALL(MPI_Comm_create, group, (copy, group, &(MPI_Comm){MPI_COMM_NULL}));
    MPI_Win_free(&window);
    MPI_Comm_free(&copy);
}

static void make_wrong_calls(void)
{
    MPI_Request request;
    MPI_Comm made;
    MPI_Datatype no_type = MPI_DATATYPE_NULL, type;
    MPI_Datatype zero = (MPI_Datatype)0;
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    printf("wrong\n");
    CALL(MPI_Send, MPI_DATATYPE_NULL, (values, 1, no_type, 0, 1, MPI_COMM_SELF));
    CALL(MPI_Recv, MPI_DATATYPE_NULL, (values, 1, no_type, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CALL(MPI_Isend, MPI_DATATYPE_NULL, (values, 1, no_type, 0, 1, MPI_COMM_SELF, &request));
    CALL(MPI_Send_init, MPI_DATATYPE_NULL, (values, 1, no_type, 0, 1, MPI_COMM_SELF, &request));
    CALL(MPI_Bcast, MPI_DATATYPE_NULL, (values, 1, no_type, 0, MPI_COMM_SELF));
    CALL(MPI_Allreduce, MPI_OP_NULL, (values, others, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF));
    CALL(MPI_Type_contiguous, MPI_DATATYPE_NULL, (2, no_type, &type));
    CALL(MPI_Comm_dup, MPI_COMM_NULL, (MPI_COMM_NULL, &made));
    CALL(MPI_Comm_create, MPI_GROUP_NULL, (MPI_COMM_SELF, MPI_GROUP_NULL, &made));
    CALL(MPI_Win_fence, MPI_WIN_NULL, (0, MPI_WIN_NULL));
    CALL(MPI_Info_set, MPI_INFO_NULL, (MPI_INFO_NULL, "key", "value"));
    CALL(MPI_Recv, zero, (values, 1, zero, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    CALL(MPI_Recv, zero, (values, 1, zero, MPI_PROC_NULL, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    CALL(MPI_Init, 0, (&argc, &argv));
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0 && freopen("/dev/null", "w", stdout) == NULL) {
        return 1;
    }
    make_right_calls();
    make_wrong_calls();
    MPI_Finalize();
    return 0;
}
