/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All that was made is freed, some while in use or shared; then MPI_Finalize, then a pause: nothing is left.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "expect.h"

#include <stdlib.h>

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

static int delete_value(MPI_Comm comm, int keyval, void *value, void *state)
{
    MPI_Comm *other = value;
    (void)comm;
    (void)keyval;
    (void)state;
    if (*other != MPI_COMM_NULL) {
        MPI_Comm_free(other);
    }
    return MPI_SUCCESS;
}

static void make_and_free_types(void)
{
    int integers[3], combiner, counts[3];
    MPI_Aint addresses[1];
    MPI_Datatype vector, structure, duplicate, inside[1];
    MPI_Type_vector(2, 1, 3, MPI_INT, &vector);
    MPI_Type_create_struct(1, (int[]){1}, (MPI_Aint[]){0}, (MPI_Datatype[]){vector}, &structure);
    MPI_Type_free(&vector);
    MPI_Type_dup(structure, &duplicate);
    MPI_Type_get_envelope(structure, &counts[0], &counts[1], &counts[2], &combiner);
    MPI_Type_get_contents(structure, counts[0], counts[1], counts[2], integers, addresses, inside);
    MPI_Type_free(&inside[0]);
    MPI_Type_free(&structure);
    MPI_Type_free(&duplicate);
}

static void make_and_free_others(MPI_Comm comm)
{
    int keyval;
    MPI_Group group, same, empty;
    MPI_Op op;
    MPI_Info info, copy;
    MPI_Errhandler errhandler, again;
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(comm, &same);
    MPI_Group_difference(group, same, &empty);
    MPI_Group_free(&empty);
    MPI_Group_free(&same);
    MPI_Group_free(&group);
    MPI_Op_create(first, 0, &op);
    MPI_Op_free(&op);
    MPI_Info_create(&info);
    MPI_Info_dup(info, &copy);
    MPI_Info_free(&info);
    MPI_Info_free(&copy);
    MPI_Comm_get_info(comm, &info);
    MPI_Info_free(&info);
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    MPI_Comm_set_errhandler(comm, errhandler);
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_get_errhandler(comm, &again);
    MPI_Errhandler_free(&again);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, &keyval);
    MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
    static MPI_Comm freed_in_callback, freed_at_end;
    int keyval, end_keyval;
    MPI_Comm comm, copy, cart, half, inter;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    int rank = expect_begin();
    expect_world();
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    make_and_free_types();
    make_and_free_others(comm);
    MPI_Comm_dup(comm, &copy); /* copies the attribute */
    MPI_Comm_idup(comm, &freed_in_callback, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_value, &keyval, NULL);
    MPI_Comm_set_attr(copy, keyval, &freed_in_callback);
    MPI_Comm_free(&copy);
    MPI_Comm_free_keyval(&keyval);
    MPI_Cart_create(comm, 1, (int[]){2}, (int[]){0}, 0, &cart);
    MPI_Comm_free(&cart);
    MPI_Comm_split(comm, rank, 0, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank, 1, &inter);
    MPI_Comm_free(&half);
    MPI_Comm_disconnect(&inter);
    MPI_Comm_free(&comm);
    /* Deleted, and its value freed, inside MPI_Finalize. */
    MPI_Comm_dup(MPI_COMM_SELF, &freed_at_end);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_value, &end_keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, end_keyval, &freed_at_end);
    MPI_Comm_free_keyval(&end_keyval);
    expect_finalized();
    MPI_Finalize();
    expect_ready();
    expect_pause();
}
