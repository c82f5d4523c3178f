/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger of the generation of 2007: it reads the structs that queries give, and frees every array and then the
 * struct.
 */
#include "declarations_2007.h"

#include "setup.h"
#include "target.h"

static int (*comm_query)(CONTEXT, mqs_taddr_t, struct mpidbg_comm_info_t **);
static int (*errhandler_query)(CONTEXT, mqs_taddr_t, struct mpidbg_errhandler_info_t **);
static int (*request_query)(CONTEXT, mqs_taddr_t, struct mpidbg_request_info_t **);
static int (*status_query)(CONTEXT, mqs_taddr_t, struct mpidbg_status_info_t **);
static int (*comm_f2c)(CONTEXT, mqs_taddr_t, mqs_taddr_t *);
static int (*errhandler_f2c)(CONTEXT, mqs_taddr_t, mqs_taddr_t *);
static int (*request_f2c)(CONTEXT, mqs_taddr_t, mqs_taddr_t *);
static int (*status_f2c)(CONTEXT, mqs_taddr_t, mqs_taddr_t *);
static int (*comm_cxx2c)(CONTEXT, mqs_taddr_t, int, mqs_taddr_t *);
static int (*errhandler_cxx2c)(CONTEXT, mqs_taddr_t, mqs_taddr_t *);
static int (*request_cxx2c)(CONTEXT, mqs_taddr_t, int, mqs_taddr_t *);
static int (*status_cxx2c)(CONTEXT, mqs_taddr_t, mqs_taddr_t *);

static void load(void)
{
    load_setup();
    LOAD(comm_query, "mpidbg_comm_query");
    LOAD(errhandler_query, "mpidbg_errhandler_query");
    LOAD(request_query, "mpidbg_request_query");
    LOAD(status_query, "mpidbg_status_query");
    LOAD(comm_f2c, "mpidbg_comm_f2c");
    LOAD(errhandler_f2c, "mpidbg_errhandler_f2c");
    LOAD(request_f2c, "mpidbg_request_f2c");
    LOAD(status_f2c, "mpidbg_status_f2c");
    LOAD(comm_cxx2c, "mpidbg_comm_cxx2c");
    LOAD(errhandler_cxx2c, "mpidbg_errhandler_cxx2c");
    LOAD(request_cxx2c, "mpidbg_request_cxx2c");
    LOAD(status_cxx2c, "mpidbg_status_cxx2c");
}

static struct mpidbg_comm_info_t *comm(mqs_taddr_t handle)
{
    struct mpidbg_comm_info_t *info = NULL;
    CHECK(comm_query(ARGUMENTS, handle, &info) == SUCCESS);
    return info;
}

static void free_comm(struct mpidbg_comm_info_t *info)
{
    give_back(info->comm_local_procs);
    give_back(info->comm_remote_procs);
    give_back(info->comm_cart_dims);
    give_back(info->comm_cart_periods);
    give_back(info->comm_graph_index);
    give_back(info->comm_graph_edges);
    give_back(info->comm_attrs);
    give_back(info->comm_pending_requests);
    give_back(info->comm_derived_windows);
    give_back(info->comm_derived_files);
    give_back(info);
}

static void check_world(void)
{
    struct mpidbg_comm_info_t *info = comm(WORLD);
    CHECK(strcmp(info->comm_name, "MPI_COMM_WORLD") == 0);
    CHECK(info->comm_bitflags == COMM_PREDEFINED);
    CHECK(info->comm_rank == 1 && info->comm_size == 4);
    CHECK(info->comm_num_local_procs == 4 && info->comm_num_remote_procs == 0 && !info->comm_remote_procs);
    for (int i = 0; i < info->comm_num_local_procs; i++)
        CHECK(info->comm_local_procs[i].mpi_comm_world_rank == i);
    CHECK(info->comm_c_handle == WORLD && info->comm_fortran_handle == (int)WORLD);
    CHECK(info->comm_cart_num_dims == 0 && info->comm_graph_num_nodes == 0 && info->comm_num_attrs == 0);
    CHECK(info->comm_num_derived_files == 1 && info->comm_derived_files[0] == FILE_HANDLE);
    CHECK(info->comm_num_derived_windows == 0 && !info->comm_derived_windows);
    CHECK(info->comm_num_pending_requests > 3);
    free_comm(info);
}

static void check_cartesian(void)
{
    struct mpidbg_comm_info_t *info = comm(SPLIT);
    CHECK(info->comm_bitflags == (COMM_CARTESIAN | COMM_TOPO_REORDERED));
    CHECK(info->comm_rank == 1 && info->comm_size == 2 && info->comm_num_local_procs == 2);
    CHECK(info->comm_local_procs[0].mpi_comm_world_rank == 3 && info->comm_local_procs[1].mpi_comm_world_rank == 1);
    CHECK(info->comm_cart_num_dims == 2 && info->comm_cart_dims[0] == 2 && info->comm_cart_dims[1] == 1);
    CHECK(info->comm_cart_periods[0] == 1 && info->comm_cart_periods[1] == 0);
    CHECK(info->comm_num_attrs == 1 && info->comm_attrs[0].keyval == (int)KEYVAL);
    CHECK(!info->comm_attrs[0].keyval_name && strcmp(info->comm_attrs[0].value, "0x1234") == 0);
    CHECK(info->comm_num_derived_windows == 1 && info->comm_derived_windows[0] == WINDOW);
    CHECK(info->comm_num_derived_files == 0 && !info->comm_derived_files);
    CHECK(info->comm_num_pending_requests == 2);
    const mqs_taddr_t handle = info->comm_pending_requests[0];
    free_comm(info);
    struct mpidbg_request_info_t *request = NULL;
    CHECK(request_query(ARGUMENTS, handle, &request) == SUCCESS);
    CHECK(request->req_bitflags == 0 && request->req_c_handle == handle && request->req_fortran_handle == (int)handle);
    give_back(request);
    mqs_taddr_t converted = 0;
    CHECK(request_f2c(ARGUMENTS, (unsigned)handle, &converted) == SUCCESS && converted == handle);
}

static void check_other_comms(void)
{
    struct mpidbg_comm_info_t *info = comm(INTER);
    CHECK(info->comm_bitflags == COMM_INTERCOMM && strcmp(info->comm_name, "bridge") == 0);
    CHECK(info->comm_num_local_procs == 2 && info->comm_local_procs[1].mpi_comm_world_rank == 1);
    CHECK(info->comm_num_remote_procs == 2 && info->comm_remote_procs[0].mpi_comm_world_rank == 2 &&
          info->comm_remote_procs[1].mpi_comm_world_rank == 3);
    free_comm(info);

    info = comm(GRAPH);
    static const int index[] = {2, 3, 4, 6};
    static const int edges[] = {1, 3, 0, 3, 0, 2};
    CHECK(info->comm_bitflags == COMM_GRAPH && info->comm_graph_num_nodes == 4);
    CHECK(memcmp(info->comm_graph_index, index, sizeof index) == 0);
    CHECK(memcmp(info->comm_graph_edges, edges, sizeof edges) == 0);
    free_comm(info);

    info = comm(DISTRIBUTED);
    CHECK(info->comm_bitflags == COMM_DIST_GRAPH && info->comm_graph_num_nodes == 0);
    free_comm(info);

    info = comm(COMM_NULL);
    CHECK(info->comm_bitflags == (COMM_PREDEFINED | COMM_COMM_NULL));
    CHECK(strcmp(info->comm_name, "MPI_COMM_NULL") == 0 && info->comm_rank == -1 && info->comm_size == 0);
    free_comm(info);
}

static void check_freed_comms(void)
{
    struct mpidbg_comm_info_t *info = comm(FREED_USED);
    CHECK(info->comm_bitflags == COMM_FREED_HANDLE);
    free_comm(info);
    info = comm(GONE);
    CHECK(info->comm_bitflags == (COMM_FREED_HANDLE | COMM_FREED_OBJECT) && strcmp(info->comm_name, "gone") == 0);
    free_comm(info);
    info = comm(FREED);
    CHECK(info->comm_bitflags == 0 && strcmp(info->comm_name, "new") == 0);
    free_comm(info);
}

static void check_garbage(void)
{
    static const mqs_taddr_t garbage[] = {0, 1, 0x12345678, 0x84000002ul << 8, ~0ul, WORLD + 0x100, OP};
    for (size_t i = 0; i < sizeof garbage / sizeof garbage[0]; i++) {
        struct mpidbg_comm_info_t *of_comm = (void *)&failures;
        struct mpidbg_errhandler_info_t *of_errhandler = (void *)&failures;
        mqs_taddr_t handle = 4711;
        CHECK(comm_query(ARGUMENTS, garbage[i], &of_comm) == NOT_FOUND && of_comm == (void *)&failures);
        CHECK(errhandler_query(ARGUMENTS, garbage[i], &of_errhandler) == NOT_FOUND);
        CHECK(of_errhandler == (void *)&failures);
        CHECK(comm_f2c(ARGUMENTS, (unsigned)garbage[i], &handle) == NOT_FOUND && handle == 4711);
        CHECK(comm_cxx2c(ARGUMENTS, garbage[i], 0, &handle) == NOT_FOUND && handle == 4711);
        struct mpidbg_request_info_t *request = NULL;
        if (garbage[i] != OP) /* requests have such numbers too */
            CHECK(request_query(ARGUMENTS, garbage[i], &request) == NOT_FOUND);
    }
    CHECK(comm_query(ARGUMENTS, WORLD, NULL) == NOT_FOUND);
    struct mpidbg_comm_info_t *info = NULL;
    CHECK(comm_query(NULL, NULL, NULL, NULL, WORLD, &info) == NOT_FOUND);
    CHECK(comm_query(the_image(), NULL, the_process(), (mqs_process_info *)(void *)&failures, WORLD, &info) == SUCCESS);
    free_comm(info);
}

static void check_errhandlers(void)
{
    struct mpidbg_errhandler_info_t *info = NULL;
    CHECK(errhandler_query(ARGUMENTS, ERRHANDLER, &info) == SUCCESS);
    CHECK(info->eh_name[0] == '\0' && info->eh_bitflags == (ERRH_COMMUNICATOR | ERRH_C_CALLBACK));
    CHECK(info->eh_c_handle == ERRHANDLER && info->eh_fortran_handle == (int)ERRHANDLER);
    CHECK(info->eh_callback_func == 0x401800 && info->eh_refcount == 2);
    CHECK(info->eh_handles[0] != info->eh_handles[1]);
    give_back(info->eh_handles);
    give_back(info);

    CHECK(errhandler_query(ARGUMENTS, ERRORS_RETURN, &info) == SUCCESS);
    CHECK(strcmp(info->eh_name, "MPI_ERRORS_RETURN") == 0 && info->eh_callback_func == 0);
    CHECK(info->eh_bitflags == (ERRH_PREDEFINED | ERRH_COMMUNICATOR | ERRH_FILE | ERRH_WINDOW));
    CHECK(info->eh_refcount == 0 && !info->eh_handles);
    give_back(info);

    CHECK(errhandler_query(ARGUMENTS, ERRHANDLER_FREED, &info) == SUCCESS);
    CHECK(info->eh_bitflags == (ERRH_FILE | ERRH_FREED_HANDLE | ERRH_FREED_OBJECT));
    give_back(info);

    CHECK(errhandler_query(ARGUMENTS, ERRHANDLER_NULL, &info) == SUCCESS);
    CHECK(info->eh_bitflags == ERRH_PREDEFINED && strcmp(info->eh_name, "MPI_ERRHANDLER_NULL") == 0);
    give_back(info);
    mqs_taddr_t handle = 0;
    CHECK(errhandler_f2c(ARGUMENTS, ERRHANDLER, &handle) == SUCCESS && handle == ERRHANDLER);
    CHECK(errhandler_cxx2c(ARGUMENTS, 8, &handle) == NOT_FOUND);
}

static void check_requests_and_statuses(const struct target_addresses *addresses)
{
    struct mpidbg_request_info_t *request = NULL;
    CHECK(request_query(ARGUMENTS, REQUEST_NULL, &request) == SUCCESS && request->req_bitflags == 1);
    CHECK(request->req_c_handle == REQUEST_NULL);
    give_back(request);
    struct mpidbg_status_info_t *status = NULL;
    CHECK(status_query(ARGUMENTS, addresses->status, &status) == SUCCESS && status->status_bitflags == 0);
    give_back(status);
    CHECK(status_query(ARGUMENTS, addresses->status_ignore, &status) == SUCCESS && status->status_bitflags == 1);
    give_back(status);
    CHECK(status_query(ARGUMENTS, 16, &status) == NOT_FOUND);
    mqs_taddr_t converted = 0;
    CHECK(status_f2c(ARGUMENTS, addresses->status, &converted) == SUCCESS && converted == addresses->status);
    CHECK(status_cxx2c(ARGUMENTS, addresses->cxx_status, &converted) == SUCCESS &&
          converted == addresses->cxx_status + 8);
}

static void check_conversions(const struct target_addresses *addresses)
{
    mqs_taddr_t handle = 0;
    CHECK(comm_f2c(ARGUMENTS, INTER, &handle) == SUCCESS && handle == INTER);
    CHECK(comm_f2c(ARGUMENTS, COMM_NULL, &handle) == SUCCESS && handle == COMM_NULL);
    CHECK(comm_cxx2c(ARGUMENTS, addresses->cxx_comm, COMM_INTERCOMM, &handle) == SUCCESS && handle == INTER);
    CHECK(comm_cxx2c(ARGUMENTS, addresses->cxx_garbage, 0, &handle) == NOT_FOUND);
    CHECK(request_cxx2c(ARGUMENTS, addresses->cxx_garbage, 0, &handle) == NOT_FOUND);
}

static mqs_taddr_t named(const char *variable, const char *name)
{
    const struct mpidbg_name_map_t *map = *(struct mpidbg_name_map_t **)symbol(variable);
    for (; map != NULL && map->map_name != NULL; map++)
        if (strcmp(map->map_name, name) == 0)
            return map->map_handle;
    return 0;
}

static void check_variables(void)
{
    CHECK(*(int *)symbol("mpidbg_comm_capabilities") == 0x7f);
    CHECK(*(int *)symbol("mpidbg_errhandler_capabilities") == 0x1f);
    CHECK(*(int *)symbol("mpidbg_request_capabilities") == 1 && *(int *)symbol("mpidbg_status_capabilities") == 1);
    CHECK(*(char *)symbol("mpidbg_dll_bitness") == 64 && *(char *)symbol("mpidbg_dll_is_big_endian") == 0);
    CHECK(named("mpidbg_comm_name_map", "MPI_COMM_WORLD") == WORLD);
    CHECK(named("mpidbg_comm_name_map", "MPI_COMM_SELF") == SELF);
    CHECK(named("mpidbg_comm_name_map", "MPI_COMM_NULL") == COMM_NULL);
    CHECK(named("mpidbg_errhandler_name_map", "MPI_ERRORS_RETURN") == ERRORS_RETURN);
    CHECK(named("mpidbg_errhandler_name_map", "MPI_ERRHANDLER_NULL") == ERRHANDLER_NULL);
    CHECK(named("mpidbg_request_name_map", "MPI_REQUEST_NULL") == REQUEST_NULL);
    CHECK(named("mpidbg_status_name_map", "MPI_STATUS_IGNORE") == 1);
}

static void check_answers(const struct target_addresses *addresses)
{
    check_variables();
    check_world();
    check_cartesian();
    check_other_comms();
    check_freed_comms();
    check_garbage();
    check_errhandlers();
    check_requests_and_statuses(addresses);
    check_conversions(addresses);
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
    CHECK(!*(void **)symbol("mpidbg_comm_name_map"));
    target_destroy();
}

/* A process that has not moved is not read again; one that has is. */
static void check_freshness(void)
{
    target_create(false);
    set_up();
    const int before = reads();
    free_comm(comm(SPLIT));
    CHECK(reads() - before <= 3);
    target_reuse();
    struct mpidbg_comm_info_t *info = comm(SPLIT);
    CHECK(strcmp(info->comm_name, "again") == 0 && info->comm_size == 1 && info->comm_bitflags == 0);
    free_comm(info);
    finish();
    target_destroy();
}

static void check_before_mpi(void)
{
    struct mpidbg_comm_info_t *info = NULL;
    target_create(false);
    target_set_initialized(false);
    set_up();
    CHECK(comm_query(ARGUMENTS, WORLD, &info) == UNAVAILABLE && !info);
    CHECK(!*(void **)symbol("mpidbg_comm_name_map"));
    target_set_initialized(true);
    info = comm(WORLD);
    free_comm(info);
    CHECK(named("mpidbg_comm_name_map", "MPI_COMM_WORLD") == WORLD);
    finish();
    CHECK(comm_query(ARGUMENTS, WORLD, &info) == UNAVAILABLE);
    CHECK(init_per_process(the_process(), &process_callbacks, NULL) == NOT_SUPPORTED);
    target_destroy();
}

/* At every allocation once. */
static void check_without_memory(void)
{
    target_create(false);
    set_up();
    int result = NO_MEM;
    int tries = 0;
    for (; result != SUCCESS && tries < 1000; tries++) {
        struct mpidbg_comm_info_t *info = NULL;
        fail_after(tries);
        result = comm_query(ARGUMENTS, SPLIT, &info);
        fail_after(-1);
        CHECK(result == SUCCESS || (result == NO_MEM && !info));
        if (info != NULL)
            free_comm(info);
    }
    CHECK(tries > 8 && tries < 1000);
    const int before = blocks_held();
    free_comm(comm(SPLIT));
    CHECK(blocks_held() == before);
    finish();
    target_destroy();
}

int main(void)
{
    load();
    check_everything(false);
    check_everything(true);
    check_freshness();
    check_before_mpi();
    check_without_memory();
    printf("%d failures\n", failures);
    return failures > 0;
}
