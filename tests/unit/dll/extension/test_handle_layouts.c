/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handles name the same objects in processes of other byte orders, word sizes and layouts.
 */
#include "fake_contents.h"
#include "tested_job.h"

#include <criterion/criterion.h>

static struct fake_contents contents;

static void check_texts(void)
{
    char key[16];
    char value[8];
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    cr_assert_eq(mpilens_get_text_pair(opened.process, 1, key, sizeof key, value, sizeof value), mqs_ok);
    cr_assert_str_eq(key, "striping_factor");
    cr_assert_str_eq(value, "8");
}

static void check_communicators(void)
{
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    struct mpilens_rank_range range;
    int32_t values[12];
    size_t count = 0;
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(mpilens_get_handle(opened.process, &handle), mqs_ok);
    cr_assert_eq(handle.fortran_handle, FAKE_FORTRAN_BASE + 3);
    cr_assert_eq(mpilens_get_members(opened.process, 0, &range, 1, &count), mqs_ok);
    cr_assert(range.first == 3 && range.stride == -2 && range.count == 2);
    cr_assert_eq(mpilens_get_topology_values(opened.process, values, 12, &count), mqs_ok);
    cr_assert_eq(count, 6);
    cr_assert_arr_eq(values, ((int32_t[]){2, 1, 1, 0, 1, 0}), 6 * sizeof(int32_t));
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x44000001);
    cr_assert_eq(mpilens_get_topology_values(opened.process, values, 12, &count), mqs_ok);
    cr_assert_eq(count, 8);
    cr_assert_arr_eq(values, ((int32_t[]){1, 3, 0, 2, 10, 20, 30, 40}), 8 * sizeof(int32_t));
}

static void check_datatypes(void)
{
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    int64_t arguments[5];
    size_t count = 0;
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000003);
    cr_assert_eq(mpilens_get_datatype_arguments(opened.process, arguments, 5, &count), mqs_ok);
    cr_assert_eq(count, 5);
    cr_assert_arr_eq(arguments, ((int64_t[]){2, 2, 1, 0, 16}), 5 * sizeof(int64_t));
    cr_assert_eq(mpilens_setup_type_map_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_ok);
    cr_assert(entry.displacement == 0 && entry.count == 2 && entry.stride == 4 && entry.repeat == 1);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_ok);
    cr_assert(entry.displacement == 16 && entry.count == 2 && entry.repeat == 3 && entry.repeat_stride == 16);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_end_of_list);
}

static void check_status(void)
{
    struct mpilens_status_information status = {.struct_size = sizeof status};
    cr_assert_eq(mpilens_get_status(opened.process, (mqs_taddr_t)contents.status, &status), mqs_ok);
    cr_assert(status.source == 3 && status.tag == 42 && status.bytes == 12 && status.cancelled == 0);
}

static void check_users(void)
{
    struct mpilens_user_information user = {.struct_size = sizeof user};
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    cr_assert_eq(mpilens_setup_user_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_user(opened.process, &user), mqs_ok);
    cr_assert_eq(user.kind, MPILENS_OBJECT_DATATYPE);
    cr_assert_str_eq(user.name, "particle");
}

Test(handle_layouts, all)
{
    static const struct fake_options options[] = {
        {.word_size = 8},
        {.big_endian = true},
        {.word_size = 4},
        {.big_endian = true, .word_size = 4, .reversed = true, .record_padding = 24},
        {.minor = 3, .appended_bytes = 16, .extra_structs = 2, .extra_tables = 1},
        {.chunk_capacity = 1},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        for (int copied = 0; copied < 2; copied++) {
            opened_job_create(&opened, &options[i]);
            fake_objects_add(&objects, &opened.job);
            fake_contents_add(&contents, &opened.job, &objects);
            fake_target_publish(opened.job.target);
            cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
            opened.process = fake_process(&opened.debugger);
            if (copied)
                copy_again();
            check_texts();
            check_communicators();
            check_datatypes();
            check_status();
            check_users();
            close_job();
        }
}

/* A runtime of a time before all this. */
Test(handle_layouts, older)
{
    const struct fake_options older = {
        .missing_fields = {[MPILENS_STRUCT_communicator] =
                               MPILENS_END_FIELD_communicator - MPILENS_FIELD_communicator_topology,
                           [MPILENS_STRUCT_info] = 1,
                           [MPILENS_STRUCT_datatype] = 9,
                           [MPILENS_STRUCT_process] = 10}};
    opened_job_create(&opened, &older);
    fake_objects_add(&objects, &opened.job);
    open_job();
    char text[8];
    size_t count = 0;
    struct mpilens_topology_information topology = {.struct_size = sizeof topology};
    struct mpilens_datatype_contents datatype = {.struct_size = sizeof datatype};
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    struct mpilens_status_information status = {.struct_size = sizeof status};
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x84000002);
    cr_assert_eq(mpilens_get_topology(opened.process, &topology), mqs_no_information);
    cr_assert_eq(mpilens_get_topology_values(opened.process, NULL, 0, &count), mqs_no_information);
    cr_assert_eq(mpilens_get_text_pair(opened.process, 0, text, 8, text, 8), mqs_no_information);
    find_object(MPILENS_OBJECT_INFO, 0x9c000001);
    cr_assert_eq(mpilens_get_text_pair(opened.process, 0, text, 8, text, 8), mqs_no_information);
    find_object(MPILENS_OBJECT_DATATYPE, 0x8c000001);
    cr_assert_eq(mpilens_get_datatype_contents(opened.process, &datatype), mqs_ok);
    cr_assert_eq(datatype.combiner, MPILENS_COMBINER_UNKNOWN);
    cr_assert_eq(mpilens_setup_type_map_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_no_information);
    cr_assert_eq(mpilens_get_status(opened.process, 0x1000, &status), mqs_no_information);
    cr_assert_eq(mpilens_handle_bytes(opened.process, MPILENS_OBJECT_COMMUNICATOR), 0);
    close_job();
}
