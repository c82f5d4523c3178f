/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of objects, requests and statuses.
 */
#include "made_types.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

TestSuite(pages, .init = create_job_with_objects, .fini = close_job);

/* The lines of the page that was made last: "  label: text @site =function !time |", the last of users. */
static const char *lines(void)
{
    static char text[1 << 16];
    struct mpilens_page_line line = {.struct_size = sizeof line};
    size_t used = 0;
    int code;
    text[0] = '\0';
    while ((code = mpilens_next_page_line(opened.process, &line)) == mqs_ok) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%*s%s: %s", 2 * (int)line.depth, "", line.label,
                                 line.text);
        if (line.site != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, " @%" PRIx64, line.site);
        if (line.function != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "=%" PRIx64, line.function);
        if (line.time != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, " !%" PRIu64, line.time);
        used += (size_t)snprintf(text + used, sizeof text - used, line.of_users ? " |\n" : "\n");
        cr_assert_lt(used, sizeof text);
    }
    cr_assert_eq(code, mqs_end_of_list);
    return text;
}

static const char *page_of(int kind, uint64_t handle)
{
    find_object(kind, handle);
    cr_assert_eq(mpilens_setup_object_page(opened.process), mqs_ok);
    return lines();
}

static const char *page_of_request(uint64_t handle)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    cr_assert_eq(mpilens_find_request(opened.process, MPILENS_HANDLE_C, handle, &request), mqs_ok);
    cr_assert_eq(mpilens_setup_request_page(opened.process, &request), mqs_ok);
    return lines();
}

Test(pages, of_objects)
{
    static const struct {
        int kind;
        uint64_t handle;
        const char *page;
    } expected[] = {
        {MPILENS_OBJECT_COMMUNICATOR, 0x44000000,
         "handle: 0x44000000\n"
         "name: MPI_COMM_WORLD\n"
         "made by: MPI (predefined)\n"
         "rank: 1\n"
         "world ranks: 0-3\n"
         "collective calls: 11\n"
         "  barrier: 9, 1 under way\n"
         "  broadcast: 2\n"
         "unique id: 100 (equal at all members)\n"
         "used by: 9 |\n"
         "  file: out/restart.dat (0x5555000) |\n"
         "  request: MPI_Ibarrier (0x98000001) |\n"
         "  request: MPI_Ibcast (0x98000002) |\n"
         "  request: MPI_File_iread_at (0x98000004) |\n"
         "  request: MPI_Comm_idup (0x98000005) |\n"
         "  request: MPI_Barrier_init (0x98000008) |\n"
         "  request: MPI_Send_init (0x98000009) |\n"
         "  request: MPI_Ibarrier (0x9800000a) |\n"
         "  request: MPI_Psend_init (0x9800000b) |\n"},
        {MPILENS_OBJECT_COMMUNICATOR, 0x84000002,
         "handle: 0x84000002\n"
         "made by: MPI_Comm_split @401500\n"
         "made from: MPI_COMM_WORLD (0x44000000)\n"
         "rank: 1\n"
         "world ranks: 3, 1\n"
         "collective calls: 0\n"
         "unique id: 102 (equal at all members)\n"
         "attributes: 1\n"
         "  0xa4400001: 0x1234\n"
         "used by: 3 |\n"
         "  keyval: 0xa4400001 |\n"
         "  window: halo (0xa0000001) |\n"
         "  request: MPI_Rput (0x98000003) |\n"},
        {MPILENS_OBJECT_COMMUNICATOR, 0x84000003,
         "handle: 0x84000003\n"
         "name: bridge\n"
         "made by: MPI_Intercomm_create\n"
         "made from: a freed communicator (0x84000077)\n"
         "rank: 1\n"
         "world ranks: 0-1\n"
         "remote world ranks: 2, 3\n"
         "collective calls: 0\n"
         "unique id: 103 (equal at all members)\n"},
        {MPILENS_OBJECT_GROUP, 0x88000001,
         "handle: 0x88000001\n"
         "made by: MPI_Group_incl @410001\n"
         "rank: none: this process is not a member\n"
         "world ranks: none\n"},
        {MPILENS_OBJECT_OP, 0x58000003,
         "handle: 0x58000003\n"
         "name: MPI_SUM\n"
         "made by: MPI (predefined)\n"
         "commutative: yes\n"},
        {MPILENS_OBJECT_OP, 0x98000001,
         "handle: 0x98000001\n"
         "made by: MPI_Op_create @410001\n"
         "commutative: no\n"
         "function: =401700\n"},
        {MPILENS_OBJECT_ERRHANDLER, 0x94000001,
         "handle: 0x94000001\n"
         "made by: MPI_Comm_create_errhandler @410001\n"
         "for: communicators\n"
         "function: =401800\n"
         "used by: 2 |\n"
         "  session: 0x80000001 |\n"
         "  window: halo (0xa0000001) |\n"},
        {MPILENS_OBJECT_KEYVAL, 0xa4400001,
         "handle: 0xa4400001\n"
         "Fortran handle: -1539309567\n"
         "made by: MPI_Comm_create_keyval @410001\n"
         "for: attributes of communicators\n"
         "copy function: =401900\n"
         "delete function: =401a00\n"
         "extra state: 0x42\n"
         "used by: 1 |\n"
         "  communicator: 0x84000002 |\n"},
        {MPILENS_OBJECT_KEYVAL, 0xa4400000,
         "handle: 0xa4400000\n"
         "Fortran handle: -1539309568\n"
         "made by: MPI_Comm_create_keyval @410000\n"
         "freed by: the application\n"
         "kept by MPI: no longer\n"
         "for: attributes of any object\n"},
        {MPILENS_OBJECT_SESSION, 0x80000001,
         "handle: 0x80000001\n"
         "made by: MPI_Session_init @410001\n"
         "errhandler: 0x94000001\n"
         "thread level: multiple\n"
         "buffer: 512 bytes at 0x9000\n"},
        {MPILENS_OBJECT_WINDOW, 0xa0000001,
         "handle: 0xa0000001\n"
         "name: halo\n"
         "made by: MPI_Win_create @410001\n"
         "communicator: MPI_Comm_split of MPI_COMM_WORLD (0x84000002)\n"
         "errhandler: 0x94000001\n"
         "flavor: create\n"
         "memory: 4096 bytes at 0x8000\n"
         "displacement unit: 8\n"
         "access epoch: lock\n"
         "exposure epoch: none\n"
         "locks: 2\n"
         "  rank 0 (world 3): exclusive @402100 !880\n"
         "  rank 1: shared @402200 !890\n"
         "last synchronization: MPI_Win_lock @402000 !900\n"
         "operations: 20, 3 since they were last completed\n"
         "unique id: 555 (equal at all members)\n"
         "used by: 1 |\n"
         "  request: MPI_Rput (0x98000003) |\n"},
        {MPILENS_OBJECT_FILE, 0x5555000,
         "handle: 0x5555000\n"
         "name: out/restart.dat\n"
         "made by: MPI_File_open @410000\n"
         "communicator: MPI_COMM_WORLD (0x44000000)\n"
         "mode: create, read and write\n"
         "atomicity: yes\n"
         "view: native\n"
         "  displacement: 64\n"
         "  etype: MPI_INT\n"
         "  filetype: MPI_Type_vector 0x8c000001\n"
         "split collective: MPI_File_read_all_begin @402300\n"
         "operations: 12\n"
         "unique id: 777 (equal at all members)\n"
         "used by: 1 |\n"
         "  request: MPI_File_iread_at (0x98000004) |\n"},
    };
    open_job();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_expect_str_eq(page_of(expected[i].kind, expected[i].handle), expected[i].page);
}

Test(pages, of_groups_and_epochs_of_groups)
{
    put_field(objects.window, MPILENS_FIELD_window_access_epoch, MPILENS_EPOCH_GROUP);
    put_field(objects.window, MPILENS_FIELD_window_exposure_epoch, MPILENS_EPOCH_GROUP);
    open_job();
    const char *page = page_of(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_expect(strstr(page, "access epoch: start of world ranks 3\nexposure epoch: post of world ranks ?\n"), "%s",
              page);
}

Test(pages, of_topologies)
{
    static const uint64_t values[] = {2, 1, 1, 0, 1, 0};
    const uint64_t at = fake_target_reserve(opened.job.target, sizeof values);
    struct mpilens_communicator grid = {
        .state = MPILENS_OBJECT_LIVE,
        .handle = 0x84000066,
        .serial = 66,
        .rank = 1,
        .size = 2,
        .topology = {
            {.kind = MPILENS_TOPOLOGY_CARTESIAN, .reordered = 1, .value_count = 6, .first_count = 2, .values = at}}};
    for (size_t i = 0; i < 6; i++)
        fake_target_put_integer(opened.job.target, at + 4 * i, 4, values[i]);
    fake_target_add(opened.job.target, MPILENS_TABLE_COMMUNICATORS, &grid);
    open_job();
    const char *page = page_of(MPILENS_OBJECT_COMMUNICATOR, grid.handle);
    cr_expect(strstr(page, "topology: cartesian 2 x 1, periodic in dimension 0\n"
                           "  reordered: yes\n"
                           "  coordinates: 1, 0\n"),
              "%s", page);
}

Test(pages, of_datatypes)
{
    const uint64_t basic = make_basic("MPI_FLOAT", 4, 4);
    const uint64_t vector = MADE(MPILENS_COMBINER_VECTOR, 24, 60, {3, 2, 5}, 3, {0}, 0, {basic}, 1);
    name_top(MADE(MPILENS_COMBINER_STRUCT, 56, 140, {4, 1, 1, 2, 1}, 5, {0, 60, 120, 128}, 4,
                  {vector, vector, basic, 0x10}, 4));
    open_job();
    const char *page = page_of(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    const char *vector_line = strstr(page, "  2 x 0x8c1");
    cr_expect(strstr(page, "handle: 0x8c0000ff\n"
                           "bounds: lower bound 0, extent 140, true lower bound 0, true extent 140\n"
                           "constructor: struct of 4 blocks\n  2 x 0x8c1"),
              "%s", page);
    cr_assert_not_null(vector_line, "%s", page);
    cr_expect_str_eq(strchr(vector_line, ':'), ": vector of 3 blocks of 2 x MPI_FLOAT, stride 5; 24 bytes, extent 60\n"
                                               "    MPI_FLOAT: 4 bytes\n"
                                               "  MPI_FLOAT: 4 bytes\n"
                                               "  ?: not known\n"
                                               "type map: by displacement in bytes\n"
                                               "  0: 2 x MPI_FLOAT; 3 times, every 20 bytes\n"
                                               "  60: 2 x MPI_FLOAT; 3 times, every 20 bytes\n"
                                               "  120: 2 x MPI_FLOAT\n"
                                               "  ...: not known\n");
}

Test(pages, of_datatypes_with_holes)
{
    const uint64_t basic = make_basic("MPI_FLOAT", 4, 4);
    const uint64_t record = MADE(MPILENS_COMBINER_VECTOR, 24, 60, {3, 2, 5}, 3, {0}, 0, {basic}, 1);
    name_top(record);
    open_job();
    const char *page = page_of(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_expect_not_null(strstr(page, "  0: 2 x MPI_FLOAT; 3 times, every 20 bytes\n"
                                    "holes: 12 bytes at 8, 12 bytes at 28, 12 bytes at 48\n"),
                       "%s", page);
    put_argument(record, 0, 100);
    put_field(record, MPILENS_FIELD_datatype_extent, 2000);
    copy_again();
    page = page_of(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_expect_not_null(strstr(page, ", 12 bytes at 148, and more\n"), "%s", page);
}

Test(pages, of_datatypes_that_are_too_long)
{
    const uint64_t types[] = {make_basic("MPI_FLOAT", 4, 4), make_basic("MPI_CHAR", 1, 1)};
    const uint64_t record = MADE(MPILENS_COMBINER_STRUCT, 56, 140, {0}, 0, {0}, 0, {0}, 0);
    const uint64_t count = 10000;
    const uint64_t address = fake_target_reserve(opened.job.target, count * 8);
    for (size_t i = 0; i < count; i++)
        fake_target_put_integer(opened.job.target, address + i * 8, 8, types[i % 2]);
    put_field(record, MPILENS_FIELD_datatype_datatype_count, count);
    put_field(record, MPILENS_FIELD_datatype_arguments, address);
    name_top(record);
    open_job();
    const char *page = page_of(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_expect_not_null(strstr(page, "  MPI_CHAR: 1 byte\n  ...: and more\ntype map"), "%s", page);
    put_field(record, MPILENS_FIELD_datatype_datatype_count, UINT32_MAX);
    copy_again();
    page = page_of(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_expect_not_null(strstr(page, "constructor: struct of -1 blocks\ntype map: not known\n"), "%s", page);
}

Test(pages, of_requests)
{
    struct mpilens_operation receive = receive_from(2, 7);
    receive.request = 0x98000077;
    receive.flags |= MPILENS_OPERATION_CANCEL_CALLED;
    receive.state = MPILENS_OPERATION_MATCHED;
    receive.actual_source = 3;
    receive.actual_tag = 9;
    receive.actual_bytes = 40;
    add_operation(&receive);
    open_job();
    const char *page = page_of_request(0x98000003);
    cr_expect_str_eq(page, "handle: 0x98000003\n"
                           "made by: MPI_Rput @401003\n"
                           "communicator: MPI_Comm_split of MPI_COMM_WORLD (0x84000002)\n"
                           "class: one-sided operation\n"
                           "status: pending\n"
                           "target: 0 (world 3)\n"
                           "window: halo (0xa0000001)\n"
                           "count: 10 x MPI_INT\n"
                           "bytes: 40\n"
                           "buffer: 0x7003\n");
    cr_expect_not_null(strstr(page_of_request(0x98000001), "call: 12 on its communicator\n"));
    cr_expect_not_null(strstr(page_of_request(0x98000004), "offset: 4096\n"));
    cr_expect_not_null(strstr(page_of_request(0x98000005), "new communicator: 0x84000004\n"));
    cr_expect_not_null(strstr(page_of_request(0x98000009), "class: send, persistent\nstatus: inactive\n"
                                                           "peer: 2\ntag: 8\n"));
    cr_expect_not_null(strstr(page_of_request(0x9800000b), "partitions: 8\nready partitions: 3: 0, 3, 6\n"));
    page = page_of_request(0x98000077);
    cr_expect_not_null(strstr(page, "status: matched, cancel called\n"), "%s", page);
    cr_expect_not_null(strstr(page, "received: from rank 3, tag 9, 40 bytes\n"), "%s", page);
}

Test(pages, of_statuses)
{
    struct mpilens_status_information status = {
        .struct_size = sizeof status, .source = 1, .tag = 8, .error = 0, .bytes = 128, .cancelled = -1};
    open_job();
    cr_assert_eq(mpilens_setup_status_page(opened.process, &status), mqs_ok);
    cr_expect_str_eq(lines(), "MPI_SOURCE: 1\n"
                              "MPI_TAG: 8\n"
                              "MPI_ERROR: 0 (meaningful only where a call has completed several requests)\n"
                              "bytes: 128\n");
    status.ignored = 1;
    cr_assert_eq(mpilens_setup_status_page(opened.process, &status), mqs_ok);
    cr_expect_str_eq(lines(), "");
}

Test(pages, last_as_long_as_the_copy)
{
    struct mpilens_page_line line = {.struct_size = sizeof line};
    struct mpilens_operation_information request = {.struct_size = sizeof request - 1};
    open_job();
    cr_expect_eq(mpilens_setup_object_page(opened.process), MPILENS_ERROR_NO_CURRENT);
    cr_expect_eq(mpilens_setup_request_page(opened.process, &request), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect_eq(mpilens_setup_status_page(opened.process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect_eq(mpilens_next_page_line(opened.process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect_eq(mpilens_next_page_line(opened.process, &line), mqs_end_of_list, "none was made");
    find_object(MPILENS_OBJECT_OP, 0x98000001);
    cr_expect_eq(mpilens_setup_object_page(opened.process), mqs_ok);
    find_object(MPILENS_OBJECT_OP, 0x58000003);
    cr_expect_eq(mpilens_next_page_line(opened.process, &line), mqs_ok);
    cr_expect_str_eq(line.text, "0x98000001", "of the object of which it was made");
    copy_again();
    cr_expect_eq(mpilens_next_page_line(opened.process, &line), mqs_end_of_list);
}
