/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects of every kind, for `mpilens handle`: made, freed, reused, predefined, null, and handles that are none.
 *
 * RANKS 2
 * CHECK mpich openmpi, all forms
 */
#include "ask.h"

struct grid {
    MPI_Comm line;
    MPI_Request requests[3];
};

MPI_Comm global_comm;
static struct grid grid;

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{ /* LINE(add) */
    (void)in;
    (void)inout;
    (void)length;
    (void)type;
}

static void handle_error(MPI_Comm *comm, int *code, ...)
{ /* LINE(handle_error) */
    (void)comm;
    (void)code;
}

static void communicators(int rank)
{
    static int value, buffer;
    int key;
    MPI_Comm row, graph, neighbors, freed, inter, self = MPI_COMM_SELF, world = MPI_COMM_WORLD, null = MPI_COMM_NULL;
    MPI_Errhandler errhandler;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 1}, (int[]){1, 0}, 0, &row); /* LINE(row) */
    MPI_Comm_set_name(row, "row");
    MPI_Comm_create_errhandler(handle_error, &errhandler); /* LINE(errhandler) */
    MPI_Comm_set_errhandler(row, errhandler);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, &value); /* LINE(key) */
    MPI_Comm_set_attr(row, key, &value);
    MPI_Irecv(&buffer, 1, MPI_INT, 1 - rank, 5, row, &request); /* LINE(irecv) */
    grid.requests[1] = request;
    global_comm = grid.line = row;
    const char *answer =
        "{\"kind\": \"communicator\", \"rank\": %d, \"handle\": \"%s\", \"fortran\": %d, \"name\": \"row\", "
        "\"predefined\": false, \"freed_by_application\": false, \"freed_by_mpi\": false, \"null\": false, "
        "\"created\": {\"function\": \"MPI_Cart_create\", \"site\": {\"mark\": \"row\"}}, "
        "\"detail\": {\"rank\": %d, \"size\": 2, \"intercommunicator\": false, "
        "\"group\": [{\"first\": 0, \"stride\": 1, \"count\": 2}], \"remote_group\": null, \"parent\": \"%s\", "
        "\"topology\": {\"kind\": \"cartesian\", \"dims\": [2, 1], \"periods\": [true, false], \"coords\": [%d, 0]}, "
        "\"errhandler\": \"%s\", \"attributes\": [{\"keyval\": \"%s\", \"name\": null, \"value\": \"%s\"}], "
        "\"requests\": [\"%s\"], \"windows\": [], \"files\": []}}";
    const char *names[] = {HANDLE_OF("comm", row), "global_comm", "grid.line", "objects.c::global_comm"};
    for (int i = 0; i < 4; i++) {
        ask(names[i], answer, rank, TEXT_OF(row), MPI_Comm_c2f(row), rank, TEXT_OF(world), rank, TEXT_OF(errhandler),
            TEXT_OF(key), ask_text((uint64_t)(uintptr_t)&value), TEXT_OF(request));
    }
    char fortran[64];
    snprintf(fortran, sizeof fortran, "--fortran comm %d", MPI_Comm_c2f(row));
    ask(fortran, "{\"handle\": \"%s\", \"name\": \"row\"}", TEXT_OF(row));
    ask(HANDLE_OF("errhandler", errhandler),
        "{\"kind\": \"errhandler\", \"created\": {\"function\": \"MPI_Comm_create_errhandler\", \"site\": {\"mark\": "
        "\"errhandler\"}}, \"detail\": {\"object\": \"communicator\", \"function\": {\"mark\": \"handle_error\"}, "
        "\"language\": \"c\", \"attached_to\": [{\"kind\": \"communicator\", \"handle\": \"%s\", \"name\": \"row\"}]}}",
        TEXT_OF(row));
    ask(HANDLE_OF("keyval", key),
        "{\"kind\": \"keyval\", \"created\": {\"function\": \"MPI_Comm_create_keyval\", \"site\": {\"mark\": "
        "\"key\"}}, "
        "\"detail\": {\"object\": \"communicator\", \"extra_state\": \"%s\", \"attached_to\": [{\"kind\": "
        "\"communicator\", \"handle\": \"%s\"}]}}",
        ask_text((uint64_t)(uintptr_t)&value), TEXT_OF(row));
    const char *receive =
        "{\"kind\": \"request\", \"handle\": \"%s\", \"created\": {\"function\": \"MPI_Irecv\", \"site\": {\"mark\": "
        "\"irecv\"}}, \"detail\": {\"class\": \"receive\", \"function\": \"MPI_Irecv\", \"persistent\": false, "
        "\"active\": true, \"complete\": false, \"partitions\": null, \"communicator\": \"%s\", \"operation\": "
        "{\"function\": \"MPI_Irecv\", \"status\": \"pending\", \"peer\": {\"local\": %d, \"world\": %d}, \"tag\": 5, "
        "\"bytes\": 4, \"count\": 1, \"datatype\": \"MPI_INT\", \"buffer\": \"%s\"}}}";
    ask(HANDLE_OF("request", request), receive, TEXT_OF(request), TEXT_OF(row), 1 - rank, 1 - rank,
        ask_text((uint64_t)(uintptr_t)&buffer));
    ask("grid.requests[1]", receive, TEXT_OF(request), TEXT_OF(row), 1 - rank, 1 - rank,
        ask_text((uint64_t)(uintptr_t)&buffer));

    MPI_Graph_create(MPI_COMM_WORLD, 2, (int[]){1, 2}, (int[]){1, 0}, 0, &graph);
    ask(HANDLE_OF("comm", graph),
        "{\"name\": null, \"detail\": {\"topology\": {\"kind\": \"graph\", \"index\": [1, 2], "
        "\"edges\": [1, 0]}}}");
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, (int[]){1 - rank}, (int[]){7}, 2, (int[]){1 - rank, rank},
                                   (int[]){8, 9}, MPI_INFO_NULL, 0, &neighbors);
    ask(HANDLE_OF("comm", neighbors),
        "{\"detail\": {\"topology\": {\"kind\": \"distributed-graph\", \"sources\": [%d], \"destinations\": [%d, %d], "
        "\"weighted\": true, \"source_weights\": [7], \"destination_weights\": [8, 9]}}}",
        1 - rank, 1 - rank, rank);
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, 3, &inter); /* LINE(inter) */
    ask(HANDLE_OF("comm", inter),
        "{\"created\": {\"function\": \"MPI_Intercomm_create\", \"site\": {\"mark\": \"inter\"}}, \"detail\": "
        "{\"rank\": 0, \"size\": 1, \"intercommunicator\": true, \"topology\": null, \"parent\": \"%s\", \"group\": "
        "[{\"first\": %d, \"stride\": 1, \"count\": 1}], \"remote_group\": [{\"first\": %d, \"stride\": 1, \"count\": "
        "1}]}}",
        TEXT_OF(self), rank, 1 - rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &freed);
    MPI_Irecv(&buffer, 1, MPI_INT, 1 - rank, 6, freed, &grid.requests[2]);
    MPI_Comm old = freed;
    MPI_Comm_free(&freed); /* LINE(freed) */
    ask(HANDLE_OF("comm", old),
        "{\"freed_by_application\": true, \"freed_by_mpi\": false, \"freed\": {\"function\": \"MPI_Comm_free\", "
        "\"site\": {\"mark\": \"freed\"}}, \"detail\": {\"size\": 2, \"requests\": [\"%s\"]}}",
        TEXT_OF(grid.requests[2]));

    ask("MPI_COMM_WORLD",
        "{\"kind\": \"communicator\", \"handle\": \"%s\", \"name\": \"MPI_COMM_WORLD\", \"predefined\": true, "
        "\"created\": null, \"detail\": {\"rank\": %d, \"size\": 2}}",
        TEXT_OF(world), rank);
    ask(HANDLE_OF("communicator", world), "{\"name\": \"MPI_COMM_WORLD\", \"predefined\": true}");
    ask(HANDLE_OF("comm", null), "{\"kind\": \"communicator\", \"name\": \"MPI_COMM_NULL\", \"predefined\": true, "
                                 "\"null\": true, \"detail\": null}");
    ask("MPI_COMM_NULL", "{\"name\": \"MPI_COMM_NULL\", \"null\": true}");
    ask_in_vain("comm 0x12345678", "not found");
    ask_in_vain("comm -1", "not found");
    ask_in_vain(HANDLE_OF("datatype", row), "not found");
}

static void datatypes(void)
{
    MPI_Datatype column, pair, block, large, freed, type_double = MPI_DOUBLE;
    MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &column); /* LINE(column) */
    MPI_Type_commit(&column);
    ask(HANDLE_OF("datatype", column),
        "{\"kind\": \"datatype\", \"fortran\": %d, \"created\": {\"function\": \"MPI_Type_vector\", \"site\": "
        "{\"mark\": \"column\"}}, \"detail\": {\"combiner\": \"vector\", \"integers\": [3, 2, 4], \"addresses\": [], "
        "\"counts\": [], \"datatypes\": [{\"kind\": \"datatype\", \"name\": \"MPI_DOUBLE\", \"handle\": \"%s\", "
        "\"predefined\": true}], \"committed\": true, \"size\": 48, \"lower_bound\": 0, \"extent\": 80, "
        "\"true_lower_bound\": 0, \"true_extent\": 80, \"typemap_truncated\": false, \"typemap\": [{\"basic\": "
        "\"MPI_DOUBLE\", \"displacement\": 0, \"count\": 2}, {\"basic\": \"MPI_DOUBLE\", \"displacement\": 32, "
        "\"count\": 2}, {\"basic\": \"MPI_DOUBLE\", \"displacement\": 64, \"count\": 2}], \"holes\": "
        "[{\"displacement\": 16, \"bytes\": 16}, {\"displacement\": 48, \"bytes\": 16}]}}",
        MPI_Type_c2f(column), TEXT_OF(type_double));
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_CHAR, column}, &pair);
    MPI_Type_set_name(pair, "pair");
    ask(HANDLE_OF("type", pair),
        "{\"name\": \"pair\", \"detail\": {\"combiner\": \"struct\", \"integers\": [2, 1, 1], \"addresses\": [0, 8], "
        "\"committed\": false, \"size\": 49, \"extent\": 88, \"datatypes\": [{\"name\": \"MPI_CHAR\"}, {\"handle\": "
        "\"%s\", \"detail\": {\"combiner\": \"vector\", \"datatypes\": [{\"name\": \"MPI_DOUBLE\"}]}}], \"typemap\": "
        "[{\"basic\": \"MPI_CHAR\", \"displacement\": 0, \"count\": 1}, {\"displacement\": 8, \"count\": 2}, "
        "{\"displacement\": 40, \"count\": 2}, {\"displacement\": 72, \"count\": 2}]}}",
        TEXT_OF(column));
    MPI_Type_create_subarray(2, (int[]){4, 6}, (int[]){2, 3}, (int[]){1, 2}, MPI_ORDER_C, MPI_INT, &block);
    ask(HANDLE_OF("datatype", block),
        "{\"detail\": {\"combiner\": \"subarray\", \"size\": 24, \"extent\": 96, \"typemap\": [{\"basic\": "
        "\"MPI_INT\", \"displacement\": 32, \"count\": 3}, {\"displacement\": 56, \"count\": 3}]}}");
    MPI_Type_vector(1000000000, 1, 2, MPI_BYTE, &large);
    ask(HANDLE_OF("datatype", large),
        "{\"detail\": {\"size\": 1000000000, \"typemap_truncated\": true, \"typemap_patterns\": \"*\"}}");
    MPI_Type_contiguous(4, MPI_FLOAT, &freed);
    MPI_Type_free(&freed);
    ask("MPI_DOUBLE",
        "{\"kind\": \"datatype\", \"handle\": \"%s\", \"name\": \"MPI_DOUBLE\", \"predefined\": true, "
        "\"detail\": {\"size\": 8, \"extent\": 8, \"combiner\": \"named\"}}",
        TEXT_OF(type_double));
    ask("MPI_DATATYPE_NULL", "{\"null\": true}");
}

static void others(int rank)
{
    static int memory[4];
    MPI_Group all, first, null_group = MPI_GROUP_NULL;
    MPI_Info info, old, again;
    MPI_Op op;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, (int[]){0}, &first); /* LINE(first) */
    char no_rank[] = "null";
    ask(HANDLE_OF("group", first),
        "{\"kind\": \"group\", \"created\": {\"function\": \"MPI_Group_incl\", \"site\": {\"mark\": \"first\"}}, "
        "\"detail\": {\"rank\": %s, \"size\": 1, \"ranks\": [{\"first\": 0, \"stride\": 1, \"count\": 1}]}}",
        rank == 0 ? "0" : no_rank);
    ask(HANDLE_OF("group", null_group), "{\"name\": \"MPI_GROUP_NULL\", \"null\": true}");

    MPI_Info_create(&old);
    MPI_Info_free(&old);
    MPI_Info_create(&info); /* LINE(info): the handle of the one before, on some MPIs */
    MPI_Info_set(info, "access_style", "write_once");
    MPI_Info_set(info, "key", "value");
    ask(HANDLE_OF("info", info),
        "{\"kind\": \"info\", \"freed_by_application\": false, \"created\": {\"function\": \"MPI_Info_create\", "
        "\"site\": {\"mark\": \"info\"}}, \"detail\": {\"entries\": {\"access_style\": \"write_once\", \"key\": "
        "\"value\"}}}");
    MPI_Info_dup(info, &again);
    MPI_Info_delete(again, "key");
    ask(HANDLE_OF("info", again), "{\"created\": {\"function\": \"MPI_Info_dup\"}, \"detail\": {\"entries\": "
                                  "{\"access_style\": \"write_once\"}}}");

    MPI_Op_create(add, 1, &op); /* LINE(op) */
    ask(HANDLE_OF("op", op),
        "{\"kind\": \"op\", \"created\": {\"function\": \"MPI_Op_create\", \"site\": {\"mark\": \"op\"}}, \"detail\": "
        "{\"function\": {\"mark\": \"add\"}, \"commutative\": true, \"language\": \"c\"}}");
    ask("MPI_SUM", "{\"kind\": \"op\", \"predefined\": true, \"detail\": {\"function\": null, \"commutative\": true}}");
    ask("MPI_ERRORS_RETURN", "{\"kind\": \"errhandler\", \"predefined\": true}");

    MPI_Win window;
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* LINE(window) */
    MPI_Win_set_name(window, "halo");
    MPI_Win_lock(MPI_LOCK_SHARED, 1 - rank, 0, window); /* LINE(lock) */
    ask(HANDLE_OF("win", window),
        "{\"kind\": \"window\", \"name\": \"halo\", \"created\": {\"function\": \"MPI_Win_create\", \"site\": "
        "{\"mark\": "
        "\"window\"}}, \"detail\": {\"communicator\": \"%s\", \"flavor\": \"create\", \"base\": \"%s\", \"bytes\": 16, "
        "\"displacement_unit\": 4, \"access_epoch\": \"lock\", \"exposure_epoch\": null, \"locks\": [{\"target\": "
        "{\"local\": %d}, "
        "\"type\": \"shared\", \"site\": {\"mark\": \"lock\"}}], \"group\": null, \"last_synchronization\": "
        "{\"function\": \"MPI_Win_lock\"}}}",
        TEXT_OF(world), ask_text((uint64_t)(uintptr_t)memory), 1 - rank);

    char path[4096];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_File file;
    snprintf(path, sizeof path, "%s/out", directory != NULL ? directory : ".");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file); /* LINE(file) */
    MPI_File_set_view(file, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_set_atomicity(file, 1);
    ask(HANDLE_OF("file", file),
        "{\"kind\": \"file\", \"created\": {\"function\": \"MPI_File_open\", \"site\": {\"mark\": \"file\"}}, "
        "\"detail\": {\"filename\": \"%s\", \"amode\": [\"create\", \"rdwr\"], \"communicator\": \"%s\", "
        "\"atomicity\": true, \"view\": {\"displacement\": 8, \"etype\": \"MPI_INT\", \"filetype\": \"MPI_INT\", "
        "\"datarep\": \"native\"}, \"split_collective\": null, \"requests\": []}}",
        path, TEXT_OF(world));
}

static void transfers(void)
{
    static int out = 1, in, probed;
    static MPI_Status status;
    static MPI_Message message;
    MPI_Request persistent, send, null = MPI_REQUEST_NULL;
    MPI_Comm self = MPI_COMM_SELF;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 4, &in, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF, &status);
    const char *answer = "{\"kind\": \"status\", \"detail\": {\"source\": 0, \"tag\": 4, \"bytes\": 4, \"cancelled\": "
                         "false}}";
    ask(ask_value("status", (uint64_t)(uintptr_t)&status), answer, 0);
    ask("transfers::status", answer, 0);
    ask_in_vain("status 0x10", "");
    MPI_Isend(&out, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &send);
    MPI_Mprobe(0, 8, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE); /* LINE(message) */
    ask(HANDLE_OF("message", message),
        "{\"kind\": \"message\", \"created\": {\"function\": \"MPI_Mprobe\", \"site\": {\"mark\": \"message\"}}, "
        "\"detail\": {\"communicator\": \"%s\", \"source\": 0, \"tag\": 8, \"bytes\": 4}}",
        TEXT_OF(self));
    MPI_Recv_init(&probed, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &persistent); /* LINE(persistent) */
    ask(HANDLE_OF("request", persistent),
        "{\"created\": {\"function\": \"MPI_Recv_init\", \"site\": {\"mark\": \"persistent\"}}, \"detail\": "
        "{\"class\": "
        "\"receive\", \"persistent\": true, \"active\": false, \"communicator\": \"%s\"}}",
        TEXT_OF(self));
    ask(HANDLE_OF("request", null), "{\"name\": \"MPI_REQUEST_NULL\", \"null\": true}");
    ask_in_vain("request 0x7", "not found");
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session); /* LINE(session) */
    ask(HANDLE_OF("session", session),
        "{\"kind\": \"session\", \"created\": {\"function\": \"MPI_Session_init\", \"site\": {\"mark\": \"session\"}}, "
        "\"detail\": {\"thread_level\": \"*\", \"psets\": {\"any\": [\"mpi://WORLD\", \"mpi://SELF\"]}}}");
#endif
}

int main(int argc, char **argv)
{
    int value;
    MPI_Comm local;
    MPI_Init(&argc, &argv);
    const int rank = ask_begin();
    communicators(rank);
    datatypes();
    others(rank);
    transfers();
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &local); /* LINE(split) */
    const char *answer =
        "{\"kind\": \"communicator\", \"handle\": \"%s\", \"variable\": \"*\", \"created\": "
        "{\"function\": \"MPI_Comm_split\", \"site\": {\"mark\": \"split\"}}, \"detail\": {\"rank\": %d, "
        "\"size\": 2, \"group\": [{\"first\": 1, \"stride\": -1, \"count\": 2}]}}";
    ask("local", answer, TEXT_OF(local), 1 - rank);
    ask("main::local", answer, TEXT_OF(local), 1 - rank);
    ask_in_vain("value", "kind");
    ask_in_vain("no_such_variable", "no variable");
    ask_in_vain("grid", "member");
    ask_in_vain("grid.requests", "element");
    ask_in_vain("grid.requests[3]", "outside");
    ask_end();
    MPI_Recv(&value, 1, MPI_INT, 1 - rank, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
