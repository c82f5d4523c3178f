/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger of the generation of 2009: it asks for a handle, asks the handle, frees the arrays that it was given, and
 * has the handle freed.
 */
#include "declarations_2009.h"

#include "setup.h"
#include "target.h"

typedef struct mpidbg_comm_handle_t comm_handle;
typedef struct mpidbg_errhandler_handle_t errhandler_handle;

static int (*version)(void);
static int (*taddr_width)(void);
static char *(*version_string)(void);

static int (*comm_query)(CONTEXT, mqs_taddr_t, comm_handle **);
static int (*comm_free)(comm_handle *);
static int (*comm_basic)(comm_handle *, char[64], int *, int *, int *, int *, mqs_taddr_t *);
static int (*comm_procs)(comm_handle *, int *, struct mpidbg_process_t **, int *, struct mpidbg_process_t **);
static int (*comm_topo)(comm_handle *, int *, int **, int **);
static int (*comm_attrs)(comm_handle *, int *, struct mpidbg_attribute_pair_t *);
static int (*comm_requests)(comm_handle *, int *, mqs_taddr_t **);
static int (*comm_derived)(comm_handle *, int *, mqs_taddr_t **, int *, mqs_taddr_t **);

static int (*errhandler_query)(CONTEXT, mqs_taddr_t, errhandler_handle **);
static int (*errhandler_free)(errhandler_handle *);
static int (*errhandler_basic)(errhandler_handle *, char[64], int *, int *, mqs_taddr_t *);
static int (*errhandler_handles)(errhandler_handle *, int *, mqs_taddr_t **);
static int (*errhandler_callback)(errhandler_handle *, mqs_taddr_t *);

static int (*request_query)(CONTEXT, mqs_taddr_t, struct mpidbg_request_handle_t **);
static int (*request_free)(struct mpidbg_request_handle_t *);
static int (*status_query)(CONTEXT, mqs_taddr_t, struct mpidbg_status_handle_t **);
static int (*status_free)(struct mpidbg_status_handle_t *);

static void load(void)
{
    load_setup();
    LOAD(version, "mpidbg_interface_version_compatibility");
    LOAD(version_string, "mpidbg_version_string");
    LOAD(taddr_width, "mpidbg_dll_taddr_width");
    LOAD(comm_query, "mpidbg_comm_query");
    LOAD(comm_free, "mpidbg_comm_handle_free");
    LOAD(comm_basic, "mpidbg_comm_query_basic");
    LOAD(comm_procs, "mpidbg_comm_query_procs");
    LOAD(comm_topo, "mpidbg_comm_query_topo");
    LOAD(comm_attrs, "mpidbg_comm_query_attrs");
    LOAD(comm_requests, "mpidbg_comm_query_requests");
    LOAD(comm_derived, "mpidbg_comm_query_derived");
    LOAD(errhandler_query, "mpidbg_errhandler_query");
    LOAD(errhandler_free, "mpidbg_errhandler_handle_free");
    LOAD(errhandler_basic, "mpidbg_errhandler_query_basic");
    LOAD(errhandler_handles, "mpidbg_errhandler_query_handles");
    LOAD(errhandler_callback, "mpidbg_errhandler_query_callback");
    LOAD(request_query, "mpidbg_request_query");
    LOAD(request_free, "mpidbg_request_handle_free");
    LOAD(status_query, "mpidbg_status_query");
    LOAD(status_free, "mpidbg_status_handle_free");
}

static comm_handle *comm(mqs_taddr_t value)
{
    comm_handle *handle = NULL;
    CHECK(comm_query(ARGUMENTS, value, &handle) == SUCCESS && handle);
    return handle;
}

/* Checks the answers of mpidbg_comm_query_basic. */
static void check_basic(mqs_taddr_t value, const char *expected_name, int expected_flags, int expected_rank,
                        int expected_size)
{
    comm_handle *handle = comm(value);
    char name[64];
    int flags = -1;
    int rank = -7;
    int size = -7;
    int fortran = -7;
    mqs_taddr_t cxx = 0;
    CHECK(comm_basic(handle, name, &flags, &rank, &size, &fortran, &cxx) == SUCCESS);
    CHECK(strcmp(name, expected_name) == 0 && flags == expected_flags);
    CHECK(rank == expected_rank && size == expected_size);
    CHECK(fortran == (int)value && cxx == UNAVAILABLE);
    CHECK(comm_free(handle) == SUCCESS);
}

static void check_comms(void)
{
    check_basic(WORLD, "MPI_COMM_WORLD", COMM_PREDEFINED | COMM_HANDLE_C, 1, 4);
    check_basic(SPLIT, "", COMM_CARTESIAN | COMM_TOPO_REORDERED | COMM_HANDLE_C, 1, 2);
    check_basic(INTER, "bridge", COMM_INTERCOMM | COMM_HANDLE_C, 1, 2);
    check_basic(GRAPH, "graph", COMM_GRAPH | COMM_HANDLE_C, 1, 4);
    check_basic(DISTRIBUTED, "distributed", COMM_HANDLE_C, 1, 4); /* 0x400 is HANDLE_FINT here */
    check_basic(FREED_USED, "still used", COMM_FREED_HANDLE | COMM_HANDLE_C, 1, 4);
    check_basic(GONE, "gone", COMM_FREED_HANDLE | COMM_FREED_OBJECT | COMM_HANDLE_C, 1, 4);
    check_basic(FREED, "new", COMM_HANDLE_C, 1, 4);
    check_basic(COMM_NULL, "MPI_COMM_NULL", COMM_PREDEFINED | COMM_COMM_NULL | COMM_HANDLE_C, -1, 0);
}

static void check_procs(void)
{
    int locals = -1;
    int remotes = -1;
    struct mpidbg_process_t *local = NULL;
    struct mpidbg_process_t *remote = NULL;
    comm_handle *handle = comm(INTER);
    CHECK(comm_procs(handle, &locals, &local, &remotes, &remote) == SUCCESS);
    CHECK(locals == 2 && local[0].mpi_comm_world_rank == 0 && local[1].mpi_comm_world_rank == 1);
    CHECK(remotes == 2 && remote[0].mpi_comm_world_rank == 2 && remote[1].mpi_comm_world_rank == 3);
    /* The debugger owns everything that it was given. */
    CHECK(comm_free(handle) == SUCCESS);
    CHECK(remote[1].mpi_comm_world_rank == 3);
    give_back(local);
    give_back(remote);
    handle = comm(WORLD);
    CHECK(comm_procs(handle, &locals, &local, &remotes, &remote) == SUCCESS);
    CHECK(locals == 4 && remotes == 0 && !remote);
    give_back(local);
    CHECK(comm_free(handle) == SUCCESS);
}

static void check_topologies(void)
{
    int length = -1;
    int *first = NULL;
    int *second = NULL;
    comm_handle *handle = comm(SPLIT);
    CHECK(comm_topo(handle, &length, &first, &second) == SUCCESS && length == 2);
    CHECK(first[0] == 2 && first[1] == 1 && second[0] == 1 && second[1] == 0);
    give_back(first);
    give_back(second);
    CHECK(comm_free(handle) == SUCCESS);

    static const int indexes[] = {2, 3, 4, 6};
    static const int edges[] = {1, 3, 0, 3, 0, 2};
    handle = comm(GRAPH);
    CHECK(comm_topo(handle, &length, &first, &second) == SUCCESS && length == 4);
    CHECK(memcmp(first, indexes, sizeof indexes) == 0 && memcmp(second, edges, sizeof edges) == 0);
    give_back(first);
    give_back(second);
    CHECK(comm_free(handle) == SUCCESS);

    static const mqs_taddr_t others[] = {WORLD, DISTRIBUTED, COMM_NULL};
    for (int i = 0; i < 3; i++) {
        handle = comm(others[i]);
        length = -1;
        CHECK(comm_topo(handle, &length, &first, &second) == SUCCESS && length == 0 && !first && !second);
        CHECK(comm_free(handle) == SUCCESS);
    }
}

static void check_lists(void)
{
    int count = -1;
    int windows = -1;
    struct mpidbg_attribute_pair_t *pairs = NULL;
    mqs_taddr_t *first = NULL;
    mqs_taddr_t *second = NULL;
    comm_handle *handle = comm(SPLIT);
    CHECK(comm_attrs(handle, &count, (struct mpidbg_attribute_pair_t *)(void *)&pairs) == SUCCESS && count == 1);
    CHECK(pairs[0].keyval == (int)KEYVAL && !pairs[0].keyval_name && strcmp(pairs[0].value, "0x1234") == 0);
    give_back(pairs);
    CHECK(comm_requests(handle, &count, &first) == SUCCESS && count == 2 && first[0] != first[1]);
    const mqs_taddr_t request = first[0];
    give_back(first);
    CHECK(comm_derived(handle, &count, &first, &windows, &second) == SUCCESS);
    CHECK(count == 0 && !first && windows == 1 && second[0] == WINDOW);
    give_back(second);
    CHECK(comm_free(handle) == SUCCESS);

    struct mpidbg_request_handle_t *of_request = NULL;
    CHECK(request_query(ARGUMENTS, request, &of_request) == SUCCESS);
    CHECK(request_free(of_request) == SUCCESS);

    handle = comm(WORLD);
    CHECK(comm_attrs(handle, &count, (struct mpidbg_attribute_pair_t *)(void *)&pairs) == SUCCESS);
    CHECK(count == 0 && !pairs);
    CHECK(comm_derived(handle, &count, &first, &windows, &second) == SUCCESS);
    CHECK(count == 1 && first[0] == FILE_HANDLE && windows == 0 && !second);
    give_back(first);
    CHECK(comm_free(handle) == SUCCESS);
}

static void check_errhandler(mqs_taddr_t value, const char *expected_name, int expected_flags,
                             mqs_taddr_t expected_function, int expected_count)
{
    errhandler_handle *handle = NULL;
    char name[64];
    int flags = -1;
    int fortran = -7;
    int count = -1;
    mqs_taddr_t cxx = 0;
    mqs_taddr_t function = 4711;
    mqs_taddr_t *handles = NULL;
    CHECK(errhandler_query(ARGUMENTS, value, &handle) == SUCCESS);
    CHECK(errhandler_basic(handle, name, &flags, &fortran, &cxx) == SUCCESS);
    CHECK(strcmp(name, expected_name) == 0 && flags == expected_flags);
    CHECK(errhandler_callback(handle, &function) == SUCCESS && function == expected_function);
    CHECK(errhandler_handles(handle, &count, &handles) == SUCCESS && count == expected_count);
    CHECK((handles != NULL) == (count > 0));
    give_back(handles);
    CHECK(errhandler_free(handle) == SUCCESS);
}

static void check_errhandlers(void)
{
    check_errhandler(ERRHANDLER, "", ERRH_COMMUNICATOR | ERRH_C_CALLBACK, 0x401800, 2);
    check_errhandler(ERRORS_RETURN, "MPI_ERRORS_RETURN", ERRH_PREDEFINED | ERRH_COMMUNICATOR | ERRH_FILE | ERRH_WINDOW,
                     0, 0);
    check_errhandler(ERRHANDLER_FREED, "", ERRH_FILE | ERRH_FORTRAN_CALLBACK | ERRH_FREED_HANDLE | ERRH_FREED_OBJECT,
                     0x401e00, 0);
    check_errhandler(ERRHANDLER_NULL, "MPI_ERRHANDLER_NULL", ERRH_PREDEFINED, 0, 0);
}

static void check_others(const struct target_addresses *addresses)
{
    struct mpidbg_request_handle_t *request = NULL;
    struct mpidbg_status_handle_t *status = NULL;
    CHECK(request_query(ARGUMENTS, REQUEST_NULL, &request) == SUCCESS && request_free(request) == SUCCESS);
    CHECK(status_query(ARGUMENTS, addresses->status, &status) == SUCCESS && status_free(status) == SUCCESS);
    CHECK(status_query(ARGUMENTS, addresses->status_ignore, &status) == SUCCESS && status_free(status) == SUCCESS);
}

/* Garbage as value, and as handle. */
static void check_garbage(void)
{
    static const mqs_taddr_t garbage[] = {0, 1, 0x12345678, ~0ul, OP};
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        comm_handle *handle = NULL;
        errhandler_handle *errhandler = NULL;
        struct mpidbg_status_handle_t *status = NULL;
        CHECK(comm_query(ARGUMENTS, garbage[i], &handle) == NOT_FOUND && !handle);
        CHECK(errhandler_query(ARGUMENTS, garbage[i], &errhandler) == NOT_FOUND && !errhandler);
        if (garbage[i] != 1) /* MPI_STATUS_IGNORE */
            CHECK(status_query(ARGUMENTS, garbage[i], &status) == NOT_FOUND && !status);
    }
    static unsigned char zeros[512];
    int count = 0;
    mqs_taddr_t *handles = NULL;
    CHECK(comm_free(NULL) == NOT_FOUND && comm_free((comm_handle *)(void *)zeros) == NOT_FOUND);
    CHECK(comm_requests(NULL, &count, &handles) == NOT_FOUND);
    CHECK(comm_requests((comm_handle *)(void *)zeros, &count, &handles) == NOT_FOUND);
    CHECK(errhandler_free(NULL) == NOT_FOUND && request_free(NULL) == NOT_FOUND && status_free(NULL) == NOT_FOUND);
    comm_handle *handle = comm(WORLD);
    CHECK(comm_requests(handle, &count, NULL) == NOT_FOUND && comm_requests(handle, NULL, &handles) == NOT_FOUND);
    CHECK(comm_free(handle) == SUCCESS);
}

static void check_maps(void)
{
    const mqs_taddr_t *comms = symbol("mpidbg_predefined_comm_map");
    const mqs_taddr_t *errhandlers = symbol("mpidbg_predefined_errhandler_map");
    CHECK(comms[MAP_WORLD] == WORLD && comms[MAP_SELF] == SELF && comms[MAP_NULL] == COMM_NULL);
    CHECK(comms[MAP_PARENT] == COMM_NULL);
    CHECK(errhandlers[MAP_RETURN] == ERRORS_RETURN && errhandlers[MAP_ERRHANDLER_NULL] == ERRHANDLER_NULL);
    CHECK(errhandlers[MAP_THROW_EXCEPTIONS] == 0);
}

/* The handle answers about the process as it was; the process is not asked again. */
static void check_that_handles_stay(void)
{
    target_create(false);
    set_up();
    comm_handle *handle = comm(SPLIT);
    target_reuse();
    const int before = reads();
    int locals = 0;
    int remotes = 0;
    struct mpidbg_process_t *local = NULL;
    struct mpidbg_process_t *remote = NULL;
    CHECK(comm_procs(handle, &locals, &local, &remotes, &remote) == SUCCESS && locals == 2);
    CHECK(reads() == before);
    give_back(local);
    CHECK(comm_free(handle) == SUCCESS);
    check_basic(SPLIT, "again", COMM_HANDLE_C, 0, 1);
    finish();
    target_destroy();
}

static void check_without_memory(void)
{
    target_create(false);
    set_up();
    comm_handle *handle = comm(INTER);
    const int before = blocks_held();
    int locals = -1;
    int remotes = -1;
    struct mpidbg_process_t *local = NULL;
    struct mpidbg_process_t *remote = NULL;
    for (int allocations = 0; allocations < 2; allocations++) {
        fail_after(allocations);
        CHECK(comm_procs(handle, &locals, &local, &remotes, &remote) == NO_MEM);
        fail_after(-1);
        CHECK(!local && !remote && locals == -1 && blocks_held() == before);
    }
    CHECK(comm_free(handle) == SUCCESS);
    finish();
    target_destroy();
}

static void check_answers(const struct target_addresses *addresses)
{
    check_maps();
    check_comms();
    check_procs();
    check_topologies();
    check_lists();
    check_errhandlers();
    check_others(addresses);
    check_garbage();
}

/* Twice: the second time, nothing more is held. */
static void check_everything(bool big_endian)
{
    const struct target_addresses addresses = target_create(big_endian);
    set_up();
    check_answers(&addresses);
    const int before = blocks_held();
    check_answers(&addresses);
    CHECK(blocks_held() == before);
    finish();
    target_destroy();
}

int main(void)
{
    load();
    CHECK(version() == 1 && taddr_width() == sizeof(mqs_taddr_t) && strstr(version_string(), "mpilens"));
    check_everything(false);
    check_everything(true);
    check_that_handles_stay();
    check_without_memory();
    printf("%d failures\n", failures);
    return failures > 0;
}
