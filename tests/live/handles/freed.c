/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles of every kind, for `mpilens handle`: freed, freed and in use, reused, predefined and null handles, and values
 * that are none.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "ask.h"

static int memory[4];

#define FREED                                                                                                          \
    "{\"handle\": \"%s\", \"predefined\": false, \"null\": false, \"freed_by_application\": true, \"freed_by_mpi\": "  \
    "%s, \"created\": {\"function\": \"%s\", \"site\": {\"mark\": \"%s_made\"}}, \"freed\": {\"function\": \"%s\", "   \
    "\"site\": {\"mark\": \"%s_freed\"}}}"
/* `in_use`: MPI keeps it for something that refers to it. */
#define ask_freed(kind, old, in_use, maker, freer)                                                                     \
    ask(HANDLE_OF(kind, old), FREED, TEXT_OF(old), (in_use) ? "false" : "true", maker, kind, freer, kind)
/* The detail goes on behind it. */
#define USED                                                                                                           \
    "{\"freed_by_application\": true, \"freed_by_mpi\": false, \"freed\": {\"site\": {\"mark\": \"%s\"}}, "            \
    "\"detail\": "                                                                                                     \
    "{%s"
#define ask_reused(kind, handle, mark)                                                                                 \
    ask(HANDLE_OF(kind, handle),                                                                                       \
        "{\"handle\": \"%s\", \"freed_by_application\": false, \"freed_by_mpi\": false, \"freed\": null, "             \
        "\"created\": "                                                                                                \
        "{\"site\": {\"mark\": \"%s\"}}}",                                                                             \
        TEXT_OF(handle), mark)
static void add(void *in, void *inout, int *length, MPI_Datatype *type)
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

/* Each gets, on some MPIs, the handle of one that was freed just before. */
static void reused_handles(int other)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Errhandler errhandler;
    MPI_Group all, group;
    MPI_Info info;
    MPI_Op op;
    MPI_Win window;
    MPI_Request request;
    int keyval;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_SELF, &comm); /* LINE(comm_again) */
    ask_reused("comm", comm, "comm_again");
    MPI_Type_contiguous(4, MPI_FLOAT, &type);
    MPI_Type_free(&type);
    MPI_Type_contiguous(5, MPI_FLOAT, &type); /* LINE(datatype_again) */
    ask_reused("datatype", type, "datatype_again");
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    MPI_Errhandler_free(&errhandler);
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LINE(errhandler_again) */
    ask_reused("errhandler", errhandler, "errhandler_again");
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group);
    MPI_Group_free(&group);
    MPI_Group_excl(all, 1, &other, &group); /* LINE(group_again) */
    ask_reused("group", group, "group_again");
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_free(&info);
    MPI_Info_create(&info); /* LINE(info_again) */
    ask_reused("info", info, "info_again");
    ask(HANDLE_OF("info", info), "{\"detail\": {\"entries\": {}}}");
    MPI_Op_create(add, 1, &op);
    MPI_Op_free(&op);
    MPI_Op_create(add, 0, &op); /* LINE(op_again) */
    ask_reused("op", op, "op_again");
    ask(HANDLE_OF("op", op), "{\"detail\": {\"commutative\": false}}");
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* LINE(win_again) */
    ask_reused("win", window, "win_again");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &keyval, NULL); /* LINE(keyval_again) */
    ask_reused("keyval", keyval, "keyval_again");
    MPI_Irecv(memory, 1, MPI_INT, MPI_ANY_SOURCE, 43, MPI_COMM_SELF, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(memory, 1, MPI_INT, MPI_ANY_SOURCE, 44, MPI_COMM_SELF, &request); /* LINE(request_again) */
    ask_reused("request", request, "request_again");
}

/* The application has freed them; their users keep them. */
static void used_handles(void)
{
    static int value, buffer[4];
    MPI_Comm comm;
    MPI_Datatype type, old_type, outer;
    MPI_Errhandler errhandler, old_errhandler;
    MPI_Group group, old_group;
    MPI_Win window;
    MPI_Request request;
    int keyval, old_keyval;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_errhandler(handle_error, &errhandler);
    old_errhandler = errhandler;
    MPI_Comm_set_errhandler(comm, errhandler);
    MPI_Errhandler_free(&errhandler); /* LINE(used_errhandler_freed) */
    ask(HANDLE_OF("errhandler", old_errhandler),
        USED ", \"attached_to\": [{\"kind\": \"communicator\", \"handle\": \"%s\"}]}}", "used_errhandler_freed",
        "\"object\": \"communicator\"", TEXT_OF(comm));
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    old_keyval = keyval;
    MPI_Comm_set_attr(comm, keyval, &value);
    MPI_Comm_free_keyval(&keyval); /* LINE(used_keyval_freed) */
    ask(HANDLE_OF("keyval", old_keyval), USED ", \"attached_to\": [{\"kind\": \"communicator\", \"handle\": \"%s\"}]}}",
        "used_keyval_freed", "\"object\": \"communicator\"", TEXT_OF(comm));
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    old_type = type;
    MPI_Irecv(buffer, 1, type, 0, 45, MPI_COMM_SELF, &request);
    MPI_Type_free(&type); /* LINE(used_datatype_freed) */
    ask(HANDLE_OF("datatype", old_type), USED ", \"in_use_by\": [{\"kind\": \"request\", \"handle\": \"%s\"}]}}",
        "used_datatype_freed", "\"combiner\": \"vector\"", TEXT_OF(request));
    MPI_Type_contiguous(3, MPI_INT, &type);
    old_type = type;
    MPI_Type_contiguous(2, type, &outer);
    MPI_Type_free(&type); /* LINE(part_freed) */
    ask(HANDLE_OF("datatype", old_type), USED ", \"in_use_by\": [{\"kind\": \"datatype\", \"handle\": \"%s\"}]}}",
        "part_freed", "\"combiner\": \"contiguous\"", TEXT_OF(outer));
    ask(HANDLE_OF("datatype", outer),
        "{\"detail\": {\"datatypes\": [{\"handle\": \"%s\", \"freed_by_application\": true}]}}", TEXT_OF(old_type));
    MPI_Comm_group(MPI_COMM_SELF, &group);
    old_group = group;
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_post(group, 0, window);
    MPI_Group_free(&group); /* LINE(used_group_freed) */
    ask(HANDLE_OF("group", old_group), USED ", \"windows\": [\"%s\"]}}", "used_group_freed", "\"size\": 1",
        TEXT_OF(window));
}

/* Each is freed with nothing that refers to it. */
static void freed_handles(int other)
{
    static int value;
    MPI_Comm comm, old_comm;
    MPI_Datatype type, old_type;
    MPI_Errhandler errhandler, old_errhandler;
    MPI_Group all, group, old_group;
    MPI_Info info, old_info;
    MPI_Op op, old_op;
    MPI_Win window, old_window;
    MPI_Request request, old_request;
    int keyval, old_keyval;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* LINE(comm_made) */
    old_comm = comm;
    MPI_Comm_free(&comm); /* LINE(comm_freed) */
    ask_freed("comm", old_comm, 0, "MPI_Comm_dup", "MPI_Comm_free");
    MPI_Type_contiguous(4, MPI_FLOAT, &type); /* LINE(datatype_made) */
    old_type = type;
    MPI_Type_free(&type); /* LINE(datatype_freed) */
    ask_freed("datatype", old_type, 0, "MPI_Type_contiguous", "MPI_Type_free");
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LINE(errhandler_made) */
    old_errhandler = errhandler;
    MPI_Errhandler_free(&errhandler); /* LINE(errhandler_freed) */
    ask_freed("errhandler", old_errhandler, 0, "MPI_Comm_create_errhandler", "MPI_Errhandler_free");
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group); /* LINE(group_made) */
    old_group = group;
    MPI_Group_free(&group); /* LINE(group_freed) */
    ask_freed("group", old_group, 0, "MPI_Group_incl", "MPI_Group_free");
    MPI_Info_create(&info); /* LINE(info_made) */
    MPI_Info_set(info, "key", "value");
    old_info = info;
    MPI_Info_free(&info); /* LINE(info_freed) */
    ask_freed("info", old_info, 0, "MPI_Info_create", "MPI_Info_free");
    MPI_Op_create(add, 1, &op); /* LINE(op_made) */
    old_op = op;
    MPI_Op_free(&op); /* LINE(op_freed) */
    ask_freed("op", old_op, 0, "MPI_Op_create", "MPI_Op_free");
    MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* LINE(win_made) */
    old_window = window;
    MPI_Win_free(&window); /* LINE(win_freed) */
    ask_freed("win", old_window, 0, "MPI_Win_create", "MPI_Win_free");
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL); /* LINE(keyval_made) */
    old_keyval = keyval;
    MPI_Comm_free_keyval(&keyval); /* LINE(keyval_freed) */
    ask_freed("keyval", old_keyval, 0, "MPI_Comm_create_keyval", "MPI_Comm_free_keyval");
    MPI_Irecv(&value, 1, MPI_INT, other, 41, MPI_COMM_WORLD, &request); /* LINE(request_made) */
    old_request = request;
    MPI_Request_free(&request);
    ask(HANDLE_OF("request", old_request), "{\"freed_by_application\": true, \"freed_by_mpi\": false, \"created\": "
                                           "{\"function\": \"MPI_Irecv\", \"site\": "
                                           "{\"mark\": \"request_made\"}}}");
    MPI_Recv_init(&value, 1, MPI_INT, other, 42, MPI_COMM_WORLD, &request);
    old_request = request;
    MPI_Request_free(&request);
    ask_in_vain(HANDLE_OF("request", old_request), "not found");
}

static void freed_files(void)
{
    char path[4096];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_File file, old_file;
    snprintf(path, sizeof path, "%s/closed", directory != NULL ? directory : ".");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file); /* LINE(file_made) */
    old_file = file;
    MPI_File_close(&file); /* LINE(file_freed) */
    ask_freed("file", old_file, 0, "MPI_File_open", "MPI_File_close");
#if MPI_VERSION >= 4
    MPI_Session session, old_session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session); /* LINE(session_made) */
    old_session = session;
    MPI_Session_finalize(&session); /* LINE(session_freed) */
    ask_freed("session", old_session, 0, "MPI_Session_init", "MPI_Session_finalize");
#endif
}

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    const int rank = ask_begin();
    reused_handles(1 - rank);
    used_handles();
    freed_handles(1 - rank);
    freed_files();
    ask_end();
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
