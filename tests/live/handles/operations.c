/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations under way, for `mpilens handle`: requests of every class, reads and writes of files.
 *
 * RANKS 2
 * CHECK mpich openmpi
 */
#include "ask.h"

#include <stddef.h>

enum { PARTITIONS = 6, LARGE = 1 << 20 };

static int rank, other;
static int large[LARGE], small[4];

static char *text_of_requests(size_t count, const MPI_Request *requests)
{
    static char text[1024];
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s\"%s\"", i > 0 ? ", " : "", TEXT_OF(requests[i]));
    }
    return text;
}

/* `more`: further members of the detail, each after a comma. */
static void ask_request(MPI_Request request, const char *function, const char *mark, const char *request_class,
                        const char *more)
{
    ask(HANDLE_OF("request", request),
        "{\"kind\": \"request\", \"handle\": \"%s\", \"predefined\": false, \"null\": false, "
        "\"freed_by_application\": false, \"freed_by_mpi\": false, \"created\": {\"function\": \"%s\", "
        "\"site\": {\"mark\": \"%s\"}}, \"detail\": {\"class\": \"%s\", \"function\": \"%s\"%s}}",
        TEXT_OF(request), function, mark, request_class, function, more);
}

/* Those of which nothing can be received, by the functions that the interface's list names. */
static void sends(void)
{
    static char space[4096];
    char on_world[256];
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Request request, persistent[4];
    MPI_Buffer_attach(space, sizeof space);
    snprintf(on_world, sizeof on_world, ", \"persistent\": false, \"active\": true, \"communicator\": \"%s\"",
             TEXT_OF(world));
    MPI_Isend(large, LARGE, MPI_INT, other, 21, world, &request); /* LINE(isend) */
    ask_request(request, "MPI_Isend", "isend", "send", on_world);
    MPI_Issend(small, 1, MPI_INT, other, 22, world, &request); /* LINE(issend) */
    ask_request(
        request, "MPI_Issend", "issend", "send",
        ", \"complete\": false, \"operation\": {\"mode\": \"synchronous\", \"status\": \"pending\", \"tag\": 22}");
    MPI_Send_init(small, 1, MPI_INT, other, 23, world, &persistent[0]);  /* LINE(send_init) */
    MPI_Bsend_init(small, 1, MPI_INT, other, 24, world, &persistent[1]); /* LINE(bsend_init) */
    MPI_Ssend_init(small, 1, MPI_INT, other, 25, world, &persistent[2]); /* LINE(ssend_init) */
    MPI_Rsend_init(small, 1, MPI_INT, other, 26, world, &persistent[3]); /* LINE(rsend_init) */
    snprintf(on_world, sizeof on_world, ", \"persistent\": true, \"active\": false, \"communicator\": \"%s\"",
             TEXT_OF(world));
    ask_request(persistent[0], "MPI_Send_init", "send_init", "send", on_world);
    ask_request(persistent[1], "MPI_Bsend_init", "bsend_init", "send", on_world);
    ask_request(persistent[2], "MPI_Ssend_init", "ssend_init", "send", on_world);
    ask_request(persistent[3], "MPI_Rsend_init", "rsend_init", "send", on_world);
    MPI_Ssend_init(small, 1, MPI_INT, other, 27, world, &persistent[3]);
    MPI_Start(&persistent[3]); /* LINE(start) */
    ask_request(persistent[3], "MPI_Ssend_init", "start", "send",
                ", \"persistent\": true, \"active\": true, \"complete\": false, \"operation\": {\"tag\": 27, "
                "\"persistent\": true, \"status\": \"pending\"}");
}

/* Operations that complete at once may share a handle: the answer has their number. */
static void shared(void)
{
    enum { SHARED = 3 };
    MPI_Request requests[SHARED];
    for (int i = 0; i < SHARED; i++) {
        MPI_Isend(small, 1, MPI_INT, other, 30 + i, MPI_COMM_WORLD, &requests[i]); /* LINE(shared) */
    }
    char more[64];
    snprintf(more, sizeof more, ", \"sharers\": %d, \"to_nobody\": false", requests[0] == requests[1] ? SHARED : 1);
    ask_request(requests[0], "MPI_Isend", "shared", "send", more);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    return MPI_Status_set_elements(status, MPI_INT, 1);
}

static int nothing(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int nothing_of(void *state, int complete)
{
    (void)state;
    return complete;
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    (void)in;
    (void)inout;
    (void)length;
    (void)type;
}

/* Users of an op and a datatype, while rank 1 does not take part. */
static void others(void)
{
    MPI_Request request;
    MPI_Comm world = MPI_COMM_WORLD, comm;
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Grequest_start(query, nothing, nothing_of, NULL, &request); /* LINE(grequest) */
    ask_request(request, "MPI_Grequest_start", "grequest", "generalized", ", \"active\": true, \"complete\": false");
    MPI_Grequest_start(query, nothing, nothing_of, NULL, &request); /* LINE(completed) */
    MPI_Grequest_complete(request);
    ask_request(request, "MPI_Grequest_start", "completed", "generalized", ", \"active\": true, \"complete\": true");

    MPI_Op_create(add, 0, &op);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Comm_dup(world, &comm);
    if (rank == 1) {
        ask(HANDLE_OF("op", op), "{\"detail\": {\"commutative\": false, \"in_use_by\": []}}");
        ask(HANDLE_OF("datatype", pair), "{\"detail\": {\"in_use_by\": []}}");
        return;
    }
    MPI_Ireduce(small, small + 2, 1, pair, op, 0, comm, &request); /* LINE(ireduce) */
    MPI_Op old = op;
    MPI_Op_free(&op);
    ask_request(request, "MPI_Ireduce", "ireduce", "collective", ", \"active\": true, \"root\": {\"local\": 0}");
    ask(HANDLE_OF("op", old),
        "{\"freed_by_application\": true, \"freed_by_mpi\": false, \"detail\": {\"commutative\": false, \"in_use_by\": "
        "[{\"kind\": \"communicator\", \"handle\": \"%s\"}]}}",
        TEXT_OF(comm));
    ask(HANDLE_OF("datatype", pair),
        "{\"detail\": {\"in_use_by\": [{\"kind\": \"communicator\", \"handle\": \"%s\"}, {\"kind\": \"request\", "
        "\"handle\": \"%s\"}]}}",
        TEXT_OF(comm), TEXT_OF(request));
}

#if MPI_VERSION >= 4
/* Two partitions in a row of six, and one more, are ready; then the same, not started. */
static void partitions(void)
{
    MPI_Request request, idle;
    if (rank == 1) {
        MPI_Precv_init(large, PARTITIONS, 2, MPI_INT, other, 31, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request); /* LINE(start_receive) */
        ask_request(request, "MPI_Precv_init", "start_receive", "receive",
                    ", \"persistent\": true, \"active\": true, \"complete\": false, \"partitions\": [{\"first\": 0, "
                    "\"count\": 6, \"marked\": false}], \"operation\": {\"partitioned\": true, \"bytes\": 48}");
        return;
    }
    MPI_Psend_init(large, PARTITIONS, 2, MPI_INT, other, 31, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Psend_init(large, PARTITIONS, 2, MPI_INT, other, 32, MPI_COMM_WORLD, MPI_INFO_NULL, &idle); /* LINE(idle) */
    MPI_Start(&request); /* LINE(start_send) */
    MPI_Pready_range(1, 2, request);
    MPI_Pready(5, request);
    ask_request(request, "MPI_Psend_init", "start_send", "send",
                ", \"persistent\": true, \"active\": true, \"complete\": false, \"partitions\": [{\"first\": 0, "
                "\"count\": 1, \"marked\": false}, {\"first\": 1, \"count\": 2, \"marked\": true}, {\"first\": 3, "
                "\"count\": 2, \"marked\": false}, {\"first\": 5, \"count\": 1, \"marked\": true}], \"operation\": "
                "{\"partitioned\": true, \"bytes\": 48}");
    ask_request(idle, "MPI_Psend_init", "idle", "send",
                ", \"persistent\": true, \"active\": false, \"operation\": null, \"partitions\": [{\"first\": 0, "
                "\"count\": 6, \"marked\": null}]");
}
#endif

static MPI_File open_file(const char *name, char path[static 4096])
{
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_File file;
    snprintf(path, 4096, "%s/%s", directory != NULL ? directory : ".", name);
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    return file;
}

static void files(void)
{
    char path[4096], text[512];
    MPI_Request requests[6];
    MPI_File file = open_file("pending", path);
    MPI_File_iwrite(file, small, 1, MPI_INT, &requests[0]);        /* LINE(iwrite) */
    MPI_File_iwrite_at(file, 64, small, 4, MPI_INT, &requests[1]); /* LINE(iwrite_at) */
    MPI_File_iwrite_shared(file, small, 1, MPI_INT, &requests[2]); /* LINE(iwrite_shared) */
    MPI_File_iread(file, small, 1, MPI_INT, &requests[3]);         /* LINE(iread) */
    MPI_File_iread_at(file, 64, small, 1, MPI_INT, &requests[4]);  /* LINE(iread_at) */
    MPI_File_iread_shared(file, small, 1, MPI_INT, &requests[5]);  /* LINE(iread_shared) */
    static const char *const functions[] = {"MPI_File_iwrite", "MPI_File_iwrite_at", "MPI_File_iwrite_shared",
                                            "MPI_File_iread",  "MPI_File_iread_at",  "MPI_File_iread_shared"};
    static const char *const marks[] = {"iwrite", "iwrite_at", "iwrite_shared", "iread", "iread_at", "iread_shared"};
    for (int i = 0; i < 6; i++) {
        snprintf(text, sizeof text, ", \"active\": true, \"object\": {\"kind\": \"file\"}, \"bytes\": %d%s",
                 i == 1 ? 16 : 4, i % 3 == 1 ? ", \"offset\": 64" : "");
        ask_request(requests[i], functions[i], marks[i], "file", text);
    }
    ask(HANDLE_OF("file", file),
        "{\"kind\": \"file\", \"detail\": {\"filename\": \"%s\", \"split_collective\": null, \"operations\": 6, "
        "\"info\": {}, \"requests\": [%s]}}",
        path, text_of_requests(6, requests));
    file = open_file("split", path);
    MPI_File_write_at_all_begin(file, 0, small, 1, MPI_INT);
    MPI_File_write_at_all_end(file, small, MPI_STATUS_IGNORE);
    MPI_File_read_all_begin(file, small, 1, MPI_INT);
    ask(HANDLE_OF("file", file),
        "{\"detail\": {\"filename\": \"%s\", \"split_collective\": "
        "\"MPI_File_read_all_begin\", \"requests\": []}}",
        path);
}

int main(int argc, char **argv)
{
    int value;
    MPI_Init(&argc, &argv);
    rank = ask_begin();
    other = 1 - rank;
    files();
    sends();
    shared();
#if MPI_VERSION >= 4
    partitions();
#endif
    others();
    ask_end();
    MPI_Recv(&value, 1, MPI_INT, other, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
