/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One sentence about every kind of object.
 */
#include "tested_job.h"

#include <criterion/criterion.h>

TestSuite(summary, .init = create_job_with_objects, .fini = close_job);

static char text[512];

/* Goes to the object of this kind and handle. */
static const char *summary_of(int kind, uint64_t handle)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, kind), mqs_ok);
    while (mpilens_next_object(opened.process, &object) == mqs_ok) {
        if (object.handle != handle)
            continue;
        memset(text, 0x77, sizeof text);
        cr_assert_eq(mpilens_summarize_object(opened.process, text, sizeof text), mqs_ok);
        return text;
    }
    return "no such object";
}

Test(summary, of_every_kind)
{
    static const struct {
        int kind;
        uint64_t handle;
        const char *summary;
    } expected[] = {
        {MPILENS_OBJECT_COMMUNICATOR, 0x44000000,
         "communicator MPI_COMM_WORLD (0x44000000): rank 1 of 4, intracommunicator, predefined"},
        {MPILENS_OBJECT_COMMUNICATOR, 0x84000002,
         "communicator 0x84000002: rank 1 of 2, intracommunicator, split from MPI_COMM_WORLD"},
        {MPILENS_OBJECT_COMMUNICATOR, 0x84000003,
         "communicator bridge (0x84000003): rank 1 of 2, intercommunicator to 2 processes, made by "
         "MPI_Intercomm_create of a freed communicator"},
        {MPILENS_OBJECT_COMMUNICATOR, 0x84000004,
         "communicator 0x84000004: rank 1 of 4, intracommunicator, not complete yet, made by MPI_Comm_idup"},
        {MPILENS_OBJECT_GROUP, 0x88000001, "group 0x88000001: empty, made by MPI_Group_incl"},
        {MPILENS_OBJECT_DATATYPE, 0x8c000001,
         "datatype 0x8c000001: 24 bytes, extent 40, not committed, made by MPI_Type_vector"},
        {MPILENS_OBJECT_OP, 0x58000003, "op MPI_SUM (0x58000003): commutative, predefined"},
        {MPILENS_OBJECT_OP, 0x98000001,
         "op 0x98000001: not commutative, user function 0x401700, made by MPI_Op_create"},
        {MPILENS_OBJECT_ERRHANDLER, 0x94000001,
         "errhandler 0x94000001: for communicators, user function 0x401800, made by MPI_Comm_create_errhandler"},
        {MPILENS_OBJECT_INFO, 0x9c000001, "info 0x9c000001: 0 entries, made by MPI_Info_create"},
        {MPILENS_OBJECT_KEYVAL, 0xa4400001,
         "keyval 0xa4400001: for communicators, set on 1 object, made by MPI_Comm_create_keyval"},
        {MPILENS_OBJECT_KEYVAL, 0xa4400000,
         "keyval 0xa4400000: for any object, set on 0 objects, freed by the application, made by "
         "MPI_Comm_create_keyval"},
        {MPILENS_OBJECT_SESSION, 0x80000001, "session 0x80000001: thread level multiple, made by MPI_Session_init"},
        {MPILENS_OBJECT_WINDOW, 0xa0000001,
         "window halo (0xa0000001): 4096 bytes at 0x8000, over MPI_Comm_split of MPI_COMM_WORLD, access epoch lock, "
         "holds 2 locks, made by MPI_Win_create"},
        {MPILENS_OBJECT_FILE, 0x5555000,
         "file out/restart.dat (0x5555000): read and write, over MPI_COMM_WORLD, in MPI_File_read_all_begin, made by "
         "MPI_File_open"},
    };
    fake_target_put_field(opened.job.target, opened.job.vector_type, MPILENS_FIELD_datatype_extent, 40);
    open_job();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        cr_expect_str_eq(summary_of(expected[i].kind, expected[i].handle), expected[i].summary);
}

/* A debugger can put the name of the function there. */
Test(summary, says_where_the_address_of_a_function_stands)
{
    static const struct {
        int kind;
        uint64_t handle, function;
        const char *address;
    } expected[] = {{MPILENS_OBJECT_OP, 0x98000001, 0x401700, "0x401700"},
                    {MPILENS_OBJECT_ERRHANDLER, 0x94000001, 0x401800, "0x401800"},
                    {MPILENS_OBJECT_OP, 0x58000003, 0, ""}};
    struct mpilens_summary_information summary = {.struct_size = sizeof summary};
    open_job();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const char *sentence = summary_of(expected[i].kind, expected[i].handle);
        cr_assert_eq(mpilens_get_summary(opened.process, &summary), mqs_ok);
        cr_expect_str_eq(summary.text, sentence);
        cr_expect_eq(summary.user_function, expected[i].function);
        cr_assert_eq(summary.function_bytes, strlen(expected[i].address));
        cr_expect_eq(strncmp(summary.text + summary.function_offset, expected[i].address, summary.function_bytes), 0);
    }
    cr_expect_eq(mpilens_get_summary(opened.process, NULL), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, MPILENS_OBJECT_WINDOW), mqs_ok);
    cr_expect_eq(mpilens_get_summary(opened.process, &summary), MPILENS_ERROR_NO_CURRENT);
}

Test(summary, of_topologies)
{
    struct fake_target *target = opened.job.target;
    struct mpilens_communicator grid = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "grid");
    grid.topology[0] = (struct mpilens_topology){
        .kind = MPILENS_TOPOLOGY_CARTESIAN, .value_count = 6, .first_count = 2, .short_values = {2, 1, 1, 0, 0, 0}};
    fake_target_add(target, MPILENS_TABLE_COMMUNICATORS, &grid);
    struct mpilens_communicator large = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "large");
    large.topology[0] =
        (struct mpilens_topology){.kind = MPILENS_TOPOLOGY_CARTESIAN, .value_count = 300, .first_count = 100};
    fake_target_add(target, MPILENS_TABLE_COMMUNICATORS, &large);
    struct mpilens_communicator graph = fake_job_communicator(&opened.job, opened.job.world_group, 1, 4, "graph");
    graph.topology[0] = (struct mpilens_topology){
        .kind = MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH, .value_count = 3, .first_count = 1, .second_count = 2};
    fake_target_add(target, MPILENS_TABLE_COMMUNICATORS, &graph);
    open_job();
    cr_expect_str_eq(summary_of(MPILENS_OBJECT_COMMUNICATOR, grid.handle) + strlen("communicator grid (0x84000005): "),
                     "rank 1 of 4, intracommunicator, cartesian 2 x 1, periodic in dimension 0");
    cr_expect(strstr(summary_of(MPILENS_OBJECT_COMMUNICATOR, large.handle), "cartesian of 100 dimensions"));
    cr_expect(strstr(summary_of(MPILENS_OBJECT_COMMUNICATOR, graph.handle),
                     "distributed graph with 1 source and 2 destinations"));
}

Test(summary, is_cut_to_fit)
{
    open_job();
    summary_of(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_summarize_object(opened.process, text, 12), mqs_ok);
    cr_assert_str_eq(text, "window halo");
    cr_assert_eq(mpilens_summarize_object(opened.process, text, 1), mqs_ok);
    cr_assert_str_eq(text, "");
    cr_assert_eq(mpilens_summarize_object(opened.process, text, 0), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_summarize_object(opened.process, NULL, 10), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_setup_object_iterator(opened.process, MPILENS_OBJECT_WINDOW), mqs_ok);
    cr_assert_eq(mpilens_summarize_object(opened.process, text, sizeof text), MPILENS_ERROR_NO_CURRENT);
}

static const char *summary_of_request(uint64_t serial)
{
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    cr_assert_eq(mpilens_setup_request_iterator(opened.process), mqs_ok);
    while (mpilens_next_request(opened.process, &request) == mqs_ok) {
        if (request.serial != serial)
            continue;
        request.request = 0x98; /* one of all, so that it can be compared */
        memset(text, 0x77, sizeof text);
        cr_assert_eq(mpilens_summarize_request(opened.process, &request, text, sizeof text), mqs_ok);
        return text;
    }
    return "no such request";
}

Test(summary, of_requests)
{
    open_job();
    cr_expect_str_eq(summary_of_request(objects.serial.ibcast),
                     "request 0x98: pending collective operation, 10 x MPI_INT, root 3, call 13 on MPI_COMM_WORLD, "
                     "made by MPI_Ibcast");
    cr_expect_str_eq(summary_of_request(objects.serial.send_init),
                     "request 0x98: inactive persistent send, 10 x MPI_INT, to rank 2, tag 8, on MPI_COMM_WORLD, made "
                     "by MPI_Send_init");
    cr_expect_str_eq(summary_of_request(objects.serial.grequest),
                     "request 0x98: pending generalized request, made by MPI_Grequest_start");
    cr_expect_str_eq(summary_of_request(objects.serial.iread),
                     "request 0x98: pending file operation, 10 x MPI_INT, at offset 4096, on MPI_COMM_WORLD, made by "
                     "MPI_File_iread_at");
    struct mpilens_operation_information null = {
        .struct_size = sizeof null, .request = 0x2c, .function = "MPI_REQUEST_NULL"};
    cr_assert_eq(mpilens_summarize_request(opened.process, &null, text, sizeof text), mqs_ok);
    cr_assert_str_eq(text, "request MPI_REQUEST_NULL (0x2c): the null handle");
    null.struct_size = 8;
    cr_assert_eq(mpilens_summarize_request(opened.process, &null, text, sizeof text), MPILENS_ERROR_BAD_ARGUMENT);
    cr_assert_eq(mpilens_summarize_request(opened.process, NULL, text, sizeof text), MPILENS_ERROR_BAD_ARGUMENT);
}

Test(summary, of_statuses)
{
    struct mpilens_status_information status = {
        .struct_size = sizeof status, .source = 1, .tag = 8, .bytes = 128, .cancelled = -1};
    cr_assert_eq(mpilens_summarize_status(&status, text, sizeof text), mqs_ok);
    cr_assert_str_eq(text, "status: source 1, tag 8, 128 bytes");
    status.bytes = -1;
    status.source = -2147483647 - 1;
    status.error = 15;
    status.cancelled = 1;
    cr_assert_eq(mpilens_summarize_status(&status, text, sizeof text), mqs_ok);
    cr_assert_str_eq(text, "status: source -2147483648, tag 8, cancelled");
    status.ignored = 1;
    cr_assert_eq(mpilens_summarize_status(&status, text, sizeof text), mqs_ok);
    cr_assert_str_eq(text, "status: ignored");
    cr_assert_eq(mpilens_summarize_status(NULL, text, sizeof text), MPILENS_ERROR_BAD_ARGUMENT);
}
