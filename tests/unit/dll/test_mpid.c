/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger of the MPI Forum's draft, over a fake target.
 */
#include "fake_contents.h"
#include "tested_job.h"
#include "walk_mpid.h"

#include <criterion/criterion.h>

#include <string.h>

static struct fake_contents contents;
static mpid_process_handle_t *process;
static uint64_t thread; /* address of its record */
static uint64_t entered = 100;

static void open_draft(void)
{
    create_job_with_objects();
    fake_contents_add(&contents, &opened.job, &objects);
    thread = fake_target_add(opened.job.target, MPILENS_TABLE_THREADS,
                             &(struct mpilens_thread){.state = MPILENS_THREAD_ALIVE, .tid = 77, .entered = entered});
    fake_target_publish(opened.job.target);
    cr_assert_eq(mpid_debugger_open(&opened.debugger, &process), mpid_rc_ok);
}

static void close_draft(void)
{
    mpid_debugger_close(process);
    close_job();
}

static langHandle in_c(uint64_t value)
{
    return (langHandle){.cType = value};
}

static langHandle in_fortran(int64_t value)
{
    return (langHandle){.fortranType = value};
}

static void check_text(char *text, const char *expected)
{
    cr_assert_not_null(text);
    cr_assert_str_eq(text, expected);
    mpid_debugger_free(text);
}

static mpid_comm_handle_t *find_comm(uint64_t value)
{
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_comm_query(process, in_c(value), MPID_TYPE_LANG_C, &comm), mpid_rc_ok);
    return comm;
}

Test(mpid_bootstrap, refuses_what_it_cannot_serve)
{
    uint64_t version = 0;
    const char *string = NULL;
    mpid_process_handle_t **processes = NULL;
    int count = 0;
    create_job();
    const mpid_callbacks_t *callbacks = mpid_debugger_callbacks(&opened.debugger);
    mpid_address_space_context_t *context = (mpid_address_space_context_t *)(void *)&opened.debugger;
    cr_assert_eq(mpid_get_api_version(&version), mpid_rc_ok);
    cr_assert_eq(version, MPID_API_VERSION);
    cr_assert_eq(mpid_get_version_string(&string), mpid_rc_ok);
    cr_assert_not_null(strstr(string, "draft"));
    cr_assert_eq(mpid_process_initialize(context, &processes, &count), mpid_rc_callback_error);
    cr_assert_eq(mpid_initialize(MPID_API_VERSION + 1, callbacks), mpid_rc_incompatible);
    cr_assert_eq(mpid_initialize(MPID_API_VERSION, NULL), mpid_rc_callback_error);
    mpid_callbacks_t incomplete = *callbacks;
    incomplete.memory_read = NULL;
    cr_assert_eq(mpid_initialize(MPID_API_VERSION, &incomplete), mpid_rc_callback_error);
    cr_assert_eq(mpid_initialize(MPID_API_VERSION, callbacks), mpid_rc_ok);
    opened.debugger.no_symbol = true;
    cr_assert_eq(mpid_process_initialize(context, &processes, &count), mpid_rc_unsupported);
    cr_assert_null(processes);
    close_job();
}

Test(mpid_bootstrap, of_a_process_that_has_not_called_mpi)
{
    mpid_comm_handle_t *comm = NULL;
    create_job();
    opened.job.target->process.state = MPILENS_PROCESS_UNUSED;
    fake_target_publish(opened.job.target);
    cr_assert_eq(mpid_debugger_open(&opened.debugger, &process), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_by_name(process, "MPI_COMM_WORLD", &comm), mpid_rc_unavailable);
    close_draft();
}

TestSuite(mpid, .init = open_draft, .fini = close_draft);

Test(mpid, communicator)
{
    char *name;
    enum mpid_comm_info_bitmap_t flags;
    int rank;
    int size;
    int fortran;
    mpid_address_t cxx = 1;
    mpid_keyvalue_pair_t *extra;
    mpid_comm_handle_t *comm = find_comm(0x44000000);
    cr_assert_eq(mpid_comm_query_basic(comm, &name, &flags, &rank, &size, &fortran, &cxx, &extra), mpid_rc_ok);
    check_text(name, "MPI_COMM_WORLD");
    cr_assert_eq(flags, MPID_COMM_INFO_PREDEFINED | MPID_COMM_INFO_HANDLE_C);
    cr_assert_eq(rank, 1);
    cr_assert_eq(size, 4);
    cr_assert_eq(cxx, 0);
    cr_assert_str_eq(extra[0].key_name, "unique_id");
    for (int i = 0; extra[i].key_name; i++) {
        mpid_debugger_free(extra[i].key_name);
        mpid_debugger_free(extra[i].value);
    }
    mpid_debugger_free(extra);
    mpid_comm_handle_free(comm);
    cr_assert_eq(mpid_comm_query_by_name(process, "bridge", &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, &rank, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(flags, MPID_COMM_INFO_INTERCOMM | MPID_COMM_INFO_HANDLE_C);
    mpid_comm_handle_free(comm);
}

/* The process has moved: a thread has made a call. */
static void move_on(void)
{
    put_field(thread, MPILENS_FIELD_thread_entered, ++entered);
}

Test(mpid, freed_communicator)
{
    enum mpid_comm_info_bitmap_t flags;
    put_field(opened.job.split, MPILENS_FIELD_communicator_state, MPILENS_OBJECT_FREED);
    put_field(opened.job.split, MPILENS_FIELD_communicator_users, 2);
    move_on();
    mpid_comm_handle_t *comm = find_comm(0x84000002);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert(flags & MPID_COMM_INFO_FREED_HANDLE);
    cr_assert_not(flags & MPID_COMM_INFO_FREED_OBJECT, "something refers to it");
    mpid_comm_handle_free(comm);
    put_field(opened.job.split, MPILENS_FIELD_communicator_users, 0);
    move_on();
    comm = find_comm(0x84000002);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert(flags & MPID_COMM_INFO_FREED_OBJECT);
    mpid_comm_handle_free(comm);
}

Test(mpid, callbacks_of_a_query)
{
    mpid_comm_handle_t *comm = find_comm(0x44000000);
    mpid_comm_handle_free(comm);
    uint64_t reads = opened.debugger.reads;
    const uint64_t lookups = opened.debugger.symbol_lookups;
    comm = find_comm(0x84000002);
    cr_assert_leq(opened.debugger.reads - reads, 3);
    reads = opened.debugger.reads;
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_procs(comm, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(opened.debugger.reads, reads);
    cr_assert_eq(opened.debugger.symbol_lookups, lookups);
    cr_assert_eq(opened.debugger.type_lookups, 0);
    mpid_comm_handle_free(comm);
}

Test(mpid, communicator_in_fortran)
{
    int fortran;
    enum mpid_comm_info_bitmap_t flags;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_comm_query(process, in_fortran(FAKE_FORTRAN_BASE + 3), MPID_TYPE_LANG_FORTRAN, &comm),
                 mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, &flags, NULL, NULL, &fortran, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(fortran, FAKE_FORTRAN_BASE + 3);
    cr_assert(flags & MPID_COMM_INFO_HANDLE_FINT);
    cr_assert(flags & MPID_COMM_INFO_CARTESIAN);
    cr_assert(flags & MPID_COMM_INFO_TOPO_REORDERED);
    mpid_comm_handle_free(comm);
}

Test(mpid, members)
{
    int counts[2];
    mpid_process_t *processes[2];
    mpid_comm_handle_t *comm = NULL;
    mpid_group_handle_t *groups[2];
    cr_assert_eq(mpid_comm_query_by_name(process, "bridge", &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_procs(comm, &counts[0], &processes[0], &counts[1], &processes[1]), mpid_rc_ok);
    cr_assert_eq(counts[0], 2);
    cr_assert_eq(counts[1], 2);
    cr_assert_eq(processes[0][1].mpi_comm_world_rank, 1);
    cr_assert_eq(processes[1][0].mpi_comm_world_rank, 2);
    cr_assert_eq(processes[1][1].mpi_comm_world_rank, 3);
    mpid_debugger_free(processes[0]);
    mpid_debugger_free(processes[1]);
    cr_assert_eq(mpid_comm_query_groups(comm, &groups[0], &groups[1]), mpid_rc_ok);
    cr_assert_not_null(groups[1]);
    cr_assert_eq(mpid_group_query_procs(groups[1], &counts[0], &processes[0]), mpid_rc_ok);
    cr_assert_eq(counts[0], 2);
    cr_assert_eq(processes[0][0].mpi_comm_world_rank, 2);
    mpid_debugger_free(processes[0]);
    mpid_group_handle_free(groups[0]);
    mpid_group_handle_free(groups[1]);
    mpid_comm_handle_free(comm);
}

static void check_numbers(int count, int *numbers, int expected_count, const int *expected)
{
    cr_assert_eq(count, expected_count);
    cr_assert(count == 0 || memcmp(numbers, expected, (size_t)count * sizeof(*numbers)) == 0);
    mpid_debugger_free(numbers);
}

Test(mpid, topologies)
{
    int counts[3];
    int *values[3];
    mpid_comm_handle_t *comm = find_comm(0x84000002);
    cr_assert_eq(mpid_comm_query_topo(comm, &counts[0], &values[0], &counts[1], &values[1], &counts[2], &values[2]),
                 mpid_rc_ok);
    check_numbers(counts[0], values[0], 2, (const int[]){2, 1});
    check_numbers(counts[1], values[1], 2, (const int[]){1, 0});
    check_numbers(counts[2], values[2], 2, (const int[]){1, 0});
    mpid_comm_handle_free(comm);
    comm = find_comm(0x44000001);
    cr_assert_eq(mpid_comm_query_topo(comm, &counts[0], &values[0], &counts[1], &values[1], &counts[2], &values[2]),
                 mpid_rc_ok);
    check_numbers(counts[0], values[0], 2, (const int[]){1, 3});
    check_numbers(counts[1], values[1], 2, (const int[]){0, 2});
    check_numbers(counts[2], values[2], 4, (const int[]){10, 20, 30, 40});
    mpid_comm_handle_free(comm);
    comm = find_comm(0x44000000);
    cr_assert_eq(mpid_comm_query_topo(comm, &counts[0], &values[0], NULL, NULL, NULL, NULL), mpid_rc_ok);
    check_numbers(counts[0], values[0], 0, NULL);
    cr_assert_null(values[0]);
    mpid_comm_handle_free(comm);
}

Test(mpid, null_handles_and_garbage)
{
    char *name;
    enum mpid_comm_info_bitmap_t flags;
    mpid_comm_handle_t *comm = NULL;
    mpid_type_handle_t *type = NULL;
    mpid_request_handle_t *request = NULL;
    int request_flags;
    const langHandle null = in_c(FAKE_COMM_NULL);
    cr_assert_eq(mpid_comm_query(process, null, MPID_TYPE_LANG_C, &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, &name, &flags, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    check_text(name, "MPI_COMM_NULL");
    cr_assert(flags & MPID_COMM_INFO_COMM_NULL);
    cr_assert_eq(mpid_comm_query_procs(comm, NULL, NULL, NULL, NULL), mpid_rc_unavailable);
    mpid_comm_handle_free(comm);
    cr_assert_eq(mpid_type_query_by_name(process, "MPI_DATATYPE_NULL", &type), mpid_rc_ok);
    mpid_type_handle_free(type);
    cr_assert_eq(mpid_request_query(process, in_c(FAKE_REQUEST_NULL), MPID_TYPE_LANG_C, &request), mpid_rc_ok);
    cr_assert_eq(mpid_request_query_basic(request, NULL, &request_flags, NULL), mpid_rc_ok);
    cr_assert(request_flags & MPID_INFO_NULL);
    mpid_request_handle_free(request);
    comm = NULL;
    cr_assert_eq(mpid_comm_query(process, in_c(0x12345678), MPID_TYPE_LANG_C, &comm), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query(process, in_fortran(7), MPID_TYPE_LANG_FORTRAN, &comm), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query_by_name(process, "no such name", &comm), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query(process, null, 0, &comm), mpid_rc_bad_input);
    cr_assert_null(comm, "untouched");
}

Test(mpid, datatype)
{
    char *text;
    int64_t numbers[3];
    int64_t counts[3];
    int64_t *integers;
    int64_t *addresses;
    mpid_type_handle_t **types;
    mpid_type_handle_t *type = NULL;
    enum mpid_type_info_bitmap_t flags;
    cr_assert_eq(mpid_type_query_by_name(process, "particle", &type), mpid_rc_ok);
    cr_assert_eq(mpid_type_query_basic(type, &text, &flags, &numbers[0], &numbers[1], &numbers[2], NULL), mpid_rc_ok);
    check_text(text, "particle");
    cr_assert_eq(flags, MPID_TYPE_INFO_COMMITTED | MPID_TYPE_INFO_HANDLE_C);
    cr_assert_eq(numbers[0], 32);
    cr_assert_eq(numbers[1], 56);
    cr_assert_eq(mpid_type_query_envelope(type, &text, &counts[0], &counts[1], &counts[2]), mpid_rc_ok);
    check_text(text, "struct");
    cr_assert_eq(counts[0], 3);
    cr_assert_eq(counts[1], 2);
    cr_assert_eq(counts[2], 2);
    cr_assert_eq(mpid_type_query_contents(type, &integers, &addresses, &types), mpid_rc_ok);
    cr_assert_eq(integers[0], 2);
    cr_assert_eq(integers[2], 1);
    cr_assert_eq(addresses[1], 16);
    cr_assert_eq(mpid_type_query_envelope(types[1], &text, NULL, NULL, NULL), mpid_rc_ok);
    check_text(text, "vector");
    for (int i = 0; i < 2; i++)
        mpid_type_handle_free(types[i]);
    mpid_debugger_free(types);
    mpid_debugger_free(integers);
    mpid_debugger_free(addresses);
    mpid_type_handle_free(type);
}

Test(mpid, type_map)
{
    mpid_type_map_entry_t *entries;
    int64_t count;
    int complete;
    mpid_type_handle_t *type = NULL;
    cr_assert_eq(mpid_type_query_by_name(process, "particle", &type), mpid_rc_ok);
    cr_assert_eq(mpid_type_query_map(type, 1, &count, &entries, &complete), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(complete, 0);
    cr_assert_eq(entries[0].displacement, 0);
    cr_assert_eq(entries[0].count, 2);
    check_text(entries[0].basic, "MPI_INT");
    mpid_debugger_free(entries);
    cr_assert_eq(mpid_type_query_map(type, 100, &count, &entries, &complete), mpid_rc_ok);
    cr_assert_eq(complete, 1);
    int64_t elements = 0;
    for (int64_t i = 0; i < count; i++) {
        elements += entries[i].count * entries[i].repeat;
        check_text(entries[i].basic, "MPI_INT");
    }
    cr_assert_eq(elements, 8, "2 and 3 blocks of 2");
    mpid_debugger_free(entries);
    mpid_type_handle_free(type);
}

Test(mpid, predefined_datatypes)
{
    mpid_name_map_t *map;
    int64_t count;
    cr_assert_eq(mpid_type_query_predefined_map(process, &map, &count), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(map[0].size, 4);
    cr_assert_eq(map[0].type_c_handle, 0x4c000405);
    cr_assert_eq(map[0].kind, (enum mpid_type_bitmap_t)(MPID_TYPE_KIND_INT | MPID_TYPE_LANG_C));
    check_text(map[0].map_name, "MPI_INT");
    mpid_debugger_free(map);
}

Test(mpid, session)
{
    int count;
    int size;
    const char *name;
    mpid_session_handle_t *session = NULL;
    mpid_session_handle_t *other = NULL;
    mpid_group_handle_t *group = NULL;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_get_num_sessions(process, &count), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(mpid_get_nth_session(process, 1, &session), mpid_rc_bad_input);
    cr_assert_eq(mpid_get_nth_session(process, 0, &session), mpid_rc_ok);
    cr_assert_eq(mpid_session_query_num_psets(session, &count), mpid_rc_ok);
    cr_assert_eq(count, 3);
    cr_assert_eq(mpid_session_query_nth_pset(session, 2, &name), mpid_rc_ok);
    cr_assert_str_eq(name, "app://left");
    mpid_debugger_free(name);
    cr_assert_eq(mpid_session_query_nth_pset(session, 3, &name), mpid_rc_bad_input);
    cr_assert_eq(mpid_session_query_group_for_pset(session, "mpi://WORLD", &group), mpid_rc_ok);
    cr_assert_eq(mpid_group_query_basic(group, NULL, NULL, NULL, &size, NULL), mpid_rc_ok);
    cr_assert_eq(size, 4);
    cr_assert_eq(mpid_session_query_group_for_pset(session, "app://left", &group), mpid_rc_unavailable);
    mpid_group_handle_free(group);
    cr_assert_eq(mpid_comm_query_by_name(process, "of the session", &comm), mpid_rc_ok);
    cr_assert_eq(mpid_comm_query_session(comm, &other), mpid_rc_ok);
    mpid_session_handle_free(other);
    mpid_comm_handle_free(comm);
    mpid_session_handle_free(session);
    comm = find_comm(0x44000000);
    cr_assert_eq(mpid_comm_query_session(comm, &other), mpid_rc_unavailable);
    mpid_comm_handle_free(comm);
}

Test(mpid, window)
{
    char *texts[3];
    mpid_address_t base;
    mpid_size_t size;
    int unit;
    int count;
    int *ranks;
    mpid_keyvalue_pair_t *pairs;
    mpid_win_handle_t *win = NULL;
    mpid_comm_handle_t *comm = NULL;
    cr_assert_eq(mpid_win_query(process, in_c(0xa0000001), MPID_TYPE_LANG_C, &win), mpid_rc_ok);
    cr_assert_eq(mpid_win_query_basic(win, &texts[0], NULL, &base, &size, &unit, NULL), mpid_rc_ok);
    check_text(texts[0], "halo");
    cr_assert_eq(base, 0x8000);
    cr_assert_eq(size, 4096);
    cr_assert_eq(unit, 8);
    cr_assert_eq(mpid_win_query_epochs(win, &texts[0], &texts[1], &texts[2], &count, &ranks), mpid_rc_ok);
    check_text(texts[0], "lock");
    check_text(texts[1], "none");
    check_text(texts[2], "MPI_Win_lock");
    check_numbers(count, ranks, 2, (const int[]){0, 1});
    cr_assert_eq(mpid_win_query_info(win, &count, &pairs), mpid_rc_ok);
    cr_assert_eq(count, 2);
    for (int i = 0; i < 2; i++) {
        check_text(pairs[i].key_name, i == 0 ? "cb_nodes" : "striping_factor");
        check_text(pairs[i].value, i == 0 ? "4" : "8");
    }
    mpid_debugger_free(pairs);
    cr_assert_eq(mpid_win_query_comm(win, &comm), mpid_rc_ok);
    mpid_comm_handle_free(comm);
    mpid_win_handle_free(win);
}

Test(mpid, file_op_errhandler_info_request_status)
{
    char *name;
    int numbers[4];
    int64_t bytes;
    mpid_address_t function;
    mpid_file_handle_t *file = NULL;
    mpid_op_handle_t *op = NULL;
    mpid_errhandler_handle_t *errhandler = NULL;
    mpid_info_handle_t *info = NULL;
    mpid_request_handle_t *request = NULL;
    mpid_any_handle_t *object = NULL;
    mpid_status_handle_t *status = NULL;
    cr_assert_eq(mpid_file_query(process, in_c(0x5555000), MPID_TYPE_LANG_C, &file), mpid_rc_ok);
    cr_assert_eq(mpid_file_query_basic(file, &name, NULL, &numbers[0], NULL), mpid_rc_ok);
    check_text(name, "out/restart.dat");
    cr_assert_eq(numbers[0], MPILENS_FILE_CREATE | MPILENS_FILE_READ_WRITE);
    mpid_file_handle_free(file);
    cr_assert_eq(mpid_op_query(process, in_c(0x98000001), MPID_TYPE_LANG_C, &op), mpid_rc_ok);
    cr_assert_eq(mpid_op_query_basic(op, NULL, NULL, &function, &numbers[0], NULL), mpid_rc_ok);
    cr_assert_eq(function, 0x401700);
    mpid_op_handle_free(op);
    cr_assert_eq(mpid_errhandler_query(process, in_c(0x94000001), MPID_TYPE_LANG_C, &errhandler), mpid_rc_ok);
    cr_assert_eq(mpid_errhandler_query_basic(errhandler, NULL, &numbers[0], &function, NULL), mpid_rc_ok);
    cr_assert_eq(numbers[0], MPID_INFO_COMMUNICATOR | MPID_INFO_HANDLE_C);
    cr_assert_eq(function, 0x401800);
    mpid_errhandler_handle_free(errhandler);
    cr_assert_eq(mpid_info_query(process, in_c(0x9c000001), MPID_TYPE_LANG_C, &info), mpid_rc_ok);
    cr_assert_eq(mpid_info_query_entries(info, &numbers[0], NULL), mpid_rc_ok);
    cr_assert_eq(numbers[0], 2);
    mpid_info_handle_free(info);
    uint64_t value = 0;
    for (uint64_t handle = 0x98000000; value == 0 && handle < 0x98000100; handle++)
        if (mpid_request_query(process, in_c(handle), MPID_TYPE_LANG_C, &request) == mpid_rc_ok) {
            cr_assert_eq(mpid_request_query_basic(request, &name, NULL, &numbers[0]), mpid_rc_ok);
            if (numbers[0] == MPILENS_OPERATION_FILE)
                value = handle;
            mpid_debugger_free(name);
            if (value == 0)
                mpid_request_handle_free(request);
        }
    cr_assert_neq(value, 0);
    cr_assert_eq(mpid_request_query_object(request, &object), mpid_rc_ok);
    cr_assert_eq(mpid_handle_query_value(object, &numbers[0], &function, &numbers[1], &numbers[2]), mpid_rc_ok);
    cr_assert_eq(numbers[0], MPILENS_OBJECT_FILE);
    cr_assert_eq(function, 0x5555000);
    mpid_handle_free(object);
    mpid_request_handle_free(request);
    cr_assert_eq(mpid_status_query(process, contents.status, &status), mpid_rc_ok);
    cr_assert_eq(mpid_status_query_basic(status, NULL, &numbers[0], &numbers[1], &numbers[2], &bytes, &numbers[3]),
                 mpid_rc_ok);
    cr_assert_eq(numbers[0], 3);
    cr_assert_eq(numbers[1], 42);
    cr_assert_eq(bytes, 12);
    mpid_status_handle_free(status);
}

Test(mpid, origin)
{
    char *functions[2];
    mpid_address_t sites[2];
    mpid_comm_handle_t *comm = find_comm(0x84000002);
    cr_assert_eq(
        mpid_handle_query_origin((mpid_any_handle_t *)(void *)comm, &functions[0], &sites[0], &functions[1], &sites[1]),
        mpid_rc_ok);
    check_text(functions[0], "MPI_Comm_split");
    cr_assert_eq(sites[0], 0x401500);
    cr_assert_null(functions[1]);
    cr_assert_eq(sites[1], 0);
    mpid_comm_handle_free(comm);
}

/* A handle that was freed by the debugger too late answers about the object as it is, and says when that is gone. */
Test(mpid, stale_handles)
{
    int size;
    mpid_comm_handle_t *comm = find_comm(0x84000002);
    mpid_comm_handle_t *other = NULL;
    put_field(opened.job.split, MPILENS_FIELD_communicator_state, 0);
    move_on();
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, &size, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(size, 2, "nothing has been asked anew");
    cr_assert_eq(mpid_comm_query(process, in_c(0x84000002), MPID_TYPE_LANG_C, &other), mpid_rc_unavailable);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, &size, NULL, NULL, NULL), mpid_rc_stale_handle);
    cr_assert_eq(mpid_comm_handle_free(comm), mpid_rc_ok);
}

/* Beside a debugger of the message queues in the same library. */
Test(mpid, shares_the_library)
{
    cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
    cr_assert_eq(mqs_update_communicator_list(opened.process), mqs_ok);
    mpid_comm_handle_t *comm = find_comm(0x44000000);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpid_comm_query_basic(comm, NULL, NULL, NULL, NULL, NULL, NULL, NULL), mpid_rc_ok);
    cr_assert_eq(mqs_next_communicator(opened.process), mqs_ok);
    mpid_comm_handle_free(comm);
}

static const uint64_t values[] = {0x44000000, 0x44000001, 0x84000002, 0x84000003, 0x4c000405, 0x8c000001, 0x8c000003,
                                  0x98000001, 0x94000001, 0x9c000001, 0xa0000001, 0x5555000,  0x80000001, 0x88000001,
                                  0x04000000, 0x2c000000, 0,          1003,       UINT64_MAX};
enum { VALUES = sizeof(values) / sizeof(values[0]) };

Test(mpid, everything)
{
    struct walk_mpid_result result = walk_mpid(process, values, VALUES);
    cr_assert_eq(result.wrong, 0);
    cr_assert_geq(result.found, VALUES - 3);
    cr_assert_geq(result.answers, 5 * VALUES);
}

Test(mpid, nothing_is_lost_without_memory)
{
    struct walk_mpid_result whole = walk_mpid(process, values, VALUES);
    uint64_t first = fake_allocations();
    walk_mpid(process, values, VALUES);
    const uint64_t needed = fake_allocations() - first;
    const uint64_t held = fake_allocations_held();
    for (uint64_t n = 1; n <= needed; n += n < 100 ? 1 : 37) {
        opened.debugger.fail_allocation = fake_allocations() + n;
        cr_assert_eq(walk_mpid(process, values, VALUES).wrong, 0, "allocation %llu", (unsigned long long)n);
        opened.debugger.fail_allocation = 0;
    }
    cr_assert_eq(walk_mpid(process, values, VALUES).answers, whole.answers);
    cr_assert_eq(fake_allocations_held(), held);
}
