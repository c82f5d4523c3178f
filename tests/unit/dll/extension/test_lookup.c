/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The cost of finding the object of one handle: reads of the target.
 */
#include "fake_contents.h"
#include "tested_job.h"

#include <criterion/criterion.h>

static struct fake_contents contents;

/* The first question also pays for what is constant: it is asked here. */
static void create(void)
{
    create_job_with_objects();
    fake_contents_add(&contents, &opened.job, &objects);
    fake_target_publish(opened.job.target);
    cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
    opened.process = fake_process(&opened.debugger);
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
}

TestSuite(lookup, .init = create, .fini = close_job);

#define CHECK_READS(expected, ...)                                                                                     \
    do {                                                                                                               \
        const uint64_t before_ = opened.debugger.reads;                                                                \
        __VA_ARGS__;                                                                                                   \
        cr_expect_eq(opened.debugger.reads - before_, expected, "%lu",                                                 \
                     (unsigned long)(opened.debugger.reads - before_));                                                \
    } while (0)

Test(lookup, of_a_communicator_reads_three_times)
{
    struct mpilens_communicator_information communicator = {.struct_size = sizeof communicator};
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    struct mpilens_rank_range range;
    size_t count = 0;
    char text[256];
    CHECK_READS(3, find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002)); /* root, directory, records */
    CHECK_READS(0, cr_assert_eq(mpilens_summarize_object(opened.process, text, sizeof text), mqs_ok));
    cr_assert_not_null(strstr(text, "split from MPI_COMM_WORLD"), "%s", text);
    CHECK_READS(0, cr_assert_eq(mpilens_get_topology(opened.process, &topology), mqs_ok));
    CHECK_READS(2, cr_assert_eq(mpilens_get_members(opened.process, 0, &range, 1, &count), mqs_ok));
    cr_assert(range.first == 3 && range.stride == -2 && range.count == 2);
    CHECK_READS(2, cr_assert_eq(mpilens_get_communicator_object(opened.process, &communicator), mqs_ok));
    cr_assert_eq(communicator.rank, 1);
    CHECK_READS(3, find_object(MPILENS_OBJECT_COMMUNICATOR, 0x44000000));
}

Test(lookup, of_the_others_reads_no_more_than_five_times)
{
    CHECK_READS(3, find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001));
    CHECK_READS(3, find_object(MPILENS_OBJECT_GROUP, 0x88000001));
    CHECK_READS(3, find_object(MPILENS_OBJECT_OP, 0x98000001));
    CHECK_READS(3, find_object(MPILENS_OBJECT_ERRHANDLER, 0x94000001));
    CHECK_READS(3, find_object(MPILENS_OBJECT_KEYVAL, 0xa4400001));
    CHECK_READS(3, find_object(MPILENS_OBJECT_SESSION, 0x80000001));
    CHECK_READS(5, find_object(MPILENS_OBJECT_WINDOW, 0xa0000001)); /* and its communicator */
    CHECK_READS(5, find_object(MPILENS_OBJECT_FILE, 0x5555000));
    CHECK_READS(1, cr_assert(find_object(MPILENS_OBJECT_COMMUNICATOR, FAKE_COMM_NULL).flags & MPILENS_OBJECT_NULL));
    struct mpilens_status_information status = {.struct_size = sizeof status};
    CHECK_READS(1, cr_assert_eq(mpilens_get_status(opened.process, contents.status, &status), mqs_ok));
    cr_assert_eq(status.tag, 42);
    struct mpilens_object_information object = {.struct_size = sizeof object};
    CHECK_READS(
        3, cr_assert_eq(mpilens_find_object(opened.process, MPILENS_OBJECT_OP, MPILENS_HANDLE_C, 0x12345678, &object),
                        mqs_no_information));
}

Test(lookup, sees_what_has_changed)
{
    cr_assert_eq(find_object(MPILENS_OBJECT_INFO, 0x9c000001).freed, 0);
    put_field(objects.info, MPILENS_FIELD_info_state, MPILENS_OBJECT_FREED);
    cr_assert_eq(find_object(MPILENS_OBJECT_INFO, 0x9c000001).freed, 1);
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    cr_assert_eq(mpilens_find_request(opened.process, MPILENS_HANDLE_C, FAKE_REQUEST_NULL, &request), mqs_ok);
    put_field(objects.info, MPILENS_FIELD_info_state, MPILENS_OBJECT_LIVE);
    cr_assert_eq(find_object(MPILENS_OBJECT_INFO, 0x9c000001).freed, 0, "also after a request");
    cr_assert_eq(mpilens_setup_user_iterator(opened.process), mqs_ok);
    put_field(objects.info, MPILENS_FIELD_info_state, MPILENS_OBJECT_FREED);
    cr_assert_eq(find_object(MPILENS_OBJECT_INFO, 0x9c000001).freed, 1, "also after all was copied");
}

Test(lookup, in_a_copy_that_was_asked_for_reads_nothing)
{
    copy_again();
    put_field(objects.info, MPILENS_FIELD_info_state, MPILENS_OBJECT_FREED);
    CHECK_READS(0, cr_assert_eq(find_object(MPILENS_OBJECT_INFO, 0x9c000001).freed, 0));
    CHECK_READS(0, find_object(MPILENS_OBJECT_WINDOW, 0xa0000001));
    struct mpilens_window_information window = {.struct_size = sizeof window};
    CHECK_READS(0, cr_assert_eq(mpilens_get_window(opened.process, &window), mqs_ok));
    struct mpilens_operation_information request = {.struct_size = sizeof request};
    CHECK_READS(
        0, cr_assert_eq(mpilens_find_request(opened.process, MPILENS_HANDLE_C, FAKE_REQUEST_NULL, &request), mqs_ok));
    CHECK_READS(0, cr_assert_eq(mpilens_setup_user_iterator(opened.process), mqs_ok));
}

Test(lookup, keeps_its_object_when_more_is_needed)
{
    struct mpilens_window_information window = {.struct_size = sizeof window};
    struct mpilens_user_information user = {.struct_size = sizeof user};
    struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
    struct mpilens_file_information file = {.struct_size = sizeof file};
    find_object(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_get_window(opened.process, &window), mqs_ok);
    cr_assert_eq(window.lock_count, 2);
    cr_assert_eq(window.access_group_size, 1);
    find_object(MPILENS_OBJECT_WINDOW, 0xa0000001);
    cr_assert_eq(mpilens_setup_user_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_user(opened.process, &user), mqs_ok);
    cr_assert_str_eq(user.name, "MPI_Rput");
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(mpilens_setup_attribute_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_attribute(opened.process, &attribute), mqs_ok);
    cr_assert_eq(attribute.keyval_serial, 2);
    find_object(MPILENS_OBJECT_FILE, 0x5555000);
    cr_assert_eq(mpilens_get_file(opened.process, &file), mqs_ok);
    cr_assert_str_eq(file.view_etype, "MPI_INT");
    /* Anything else of the interface has a whole copy. */
    find_object(MPILENS_OBJECT_FILE, 0x5555000);
    cr_assert_eq(mqs_setup_communicator_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_get_file(opened.process, &file), mqs_ok);
    /* A record that has become another object meanwhile is not taken for the same. */
    find_object(MPILENS_OBJECT_WINDOW, 0xa0000001);
    put_field(objects.window, MPILENS_FIELD_window_serial, 2);
    cr_assert_eq(mpilens_get_window(opened.process, &window), MPILENS_ERROR_NO_CURRENT);
    cr_assert_eq(mpilens_get_window(opened.process, &window), MPILENS_ERROR_NO_CURRENT);
}

Test(lookup, fails_as_copies_do)
{
    struct mpilens_object_information object = {.struct_size = sizeof object};
    for (uint64_t n = 1; n <= 3; n++) {
        opened.debugger.fail_read = opened.debugger.reads + n;
        cr_assert_eq(
            mpilens_find_object(opened.process, MPILENS_OBJECT_COMMUNICATOR, MPILENS_HANDLE_C, 0x44000000, &object),
            MPILENS_ERROR_UNREADABLE);
        cr_assert_eq(mpilens_get_handle(opened.process, &(struct mpilens_handle_information){.struct_size = 64}),
                     MPILENS_ERROR_NO_CURRENT);
    }
    opened.debugger.fail_read = 0;
    cr_assert_str_eq(find_object(MPILENS_OBJECT_COMMUNICATOR, 0x44000000).name, "MPI_COMM_WORLD");
}
