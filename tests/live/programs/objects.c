/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hang: objects of every kind that is not a communicator of its own, alive, and some that were freed.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

static void first(void *in, void *inout, int *length, MPI_Datatype *type)
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

int main(int argc, char **argv)
{
    int value, comm_key, type_key, freed_key;
    MPI_Datatype vector, duplicate, freed_type;
    MPI_Group group, same_group, incl;
    MPI_Op op, freed_op;
    MPI_Info info, copy, freed_info;
    MPI_Errhandler errhandler, again, freed_errhandler;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    int other = 1 - rank;
    struct expected_communicator *world = expect_world();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* LINE(comm) */
    expect_communicator(comm, "copy", NULL, "MPI_Comm_dup of MPI_COMM_WORLD");

    MPI_Type_vector(2, 1, 3, MPI_INT, &vector); /* LINE(vector) */
    MPI_Type_set_name(vector, "column");
    MPI_Type_dup(vector, &duplicate); /* LINE(duplicate) */
    MPI_Type_contiguous(3, MPI_INT, &freed_type);
    MPI_Type_free(&freed_type);
    MPI_Comm_group(comm, &group);                /* LINE(group) */
    MPI_Comm_group(comm, &same_group);           /* LINE(same_group) */
    MPI_Group_incl(group, 1, (int[]){1}, &incl); /* LINE(incl) */
    MPI_Op_create(first, 0, &op);                /* LINE(op) */
    MPI_Op_create(first, 0, &freed_op);
    MPI_Op_free(&freed_op);
    MPI_Info_create(&info); /* LINE(info) */
    MPI_Info_set(info, "key", "value");
    MPI_Info_dup(info, &copy); /* LINE(copy) */
    MPI_Info_create(&freed_info);
    MPI_Info_free(&freed_info);
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LINE(errhandler) */
    MPI_Comm_set_errhandler(comm, errhandler);
    MPI_Comm_get_errhandler(comm, &again);
    MPI_Comm_create_errhandler(handle_error, &freed_errhandler);
    MPI_Errhandler_free(&freed_errhandler);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);       /* LINE(comm_key) */
    MPI_Comm_set_attr(comm, comm_key, &value);                                               /* LINE(attribute) */
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL); /* LINE(type_key) */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &freed_key, NULL);
    MPI_Comm_free_keyval(&freed_key);

    expect_object(OBJECT("communicator", comm, .function = "MPI_Comm_dup", .line = "comm"));
    expect_object(OBJECT("datatype", vector, .function = "MPI_Type_vector", .line = "vector", .name = "column"));
    expect_object(OBJECT("datatype", duplicate, .function = "MPI_Type_dup", .line = "duplicate"));
    int same = group == same_group;
    expect_object(OBJECT("group", group, .function = "MPI_Comm_group", .line = "group", .references = same ? 2 : 1));
    if (!same) {
        expect_object(OBJECT("group", same_group, .function = "MPI_Comm_group", .line = "same_group"));
    }
    expect_object(OBJECT("group", incl, .function = "MPI_Group_incl", .line = "incl"));
    expect_object(OBJECT("op", op, .function = "MPI_Op_create", .line = "op"));
    expect_object(OBJECT("info", info, .function = "MPI_Info_create", .line = "info"));
    expect_object(OBJECT("info", copy, .function = "MPI_Info_dup", .line = "copy"));
    expect_object(OBJECT("errhandler", errhandler, .function = "MPI_Comm_create_errhandler", .line = "errhandler",
                         .references = again == errhandler ? 2 : 1));
    expect_object((struct expected_object){.kind = "attribute", .line = "attribute"});
    expect_object(OBJECT("keyval", comm_key, .function = "MPI_Comm_create_keyval", .line = "comm_key"));
    expect_object(OBJECT("keyval", type_key, .function = "MPI_Type_create_keyval", .line = "type_key"));
    expect_receive(world, MESSAGE(.function = "MPI_Recv", .line = "recv", .blocking = 1, .awaited = 1, .peer = other,
                                  .world = other, .tag = 3, .count = 1, .buffer = &value));
    expect_call("MPI_Recv", "recv");
    expect_ready();
    MPI_Recv(&value, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LINE(recv) */
    MPI_Finalize();
    return 0;
}
