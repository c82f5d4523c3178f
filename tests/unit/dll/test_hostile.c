/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Targets that lie about themselves.
 */
#include "tested_job.h"
#include "walk.h"

#include <criterion/criterion.h>

TestSuite(hostile, .init = create_small_populated_job, .fini = close_job);

static void lie(enum mpilens_field field, uint64_t value)
{
    fake_target_put_field(opened.job.target, opened.job.target->root, field, value);
}

static void check_open(int code)
{
    cr_assert_eq(fake_debugger_open(&opened.debugger), code);
}

static void check_update(int code)
{
    cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
    struct walk_result result = walk_everything(opened.process, 0);
    cr_assert_eq(result.update, code, "%d", result.update);
    cr_assert_eq(result.setup, code);
    cr_assert_eq(result.wrong, 0);
    cr_assert_lt(opened.debugger.reads, 200);
}

Test(hostile, root_without_magic_is_corrupt)
{
    lie(MPILENS_FIELD_process_magic, 'X');
    check_open(MPILENS_ERROR_CORRUPT);
}

Test(hostile, root_without_byte_order_is_corrupt)
{
    lie(MPILENS_FIELD_process_byte_order, 0x01030204);
    check_open(MPILENS_ERROR_CORRUPT);
}

Test(hostile, root_of_another_major_is_refused_as_such)
{
    lie(MPILENS_FIELD_process_layout_major, MPILENS_LAYOUT_MAJOR + 1);
    check_open(MPILENS_ERROR_OTHER_MAJOR);
}

Test(hostile, root_of_another_word_size_is_corrupt)
{
    lie(MPILENS_FIELD_process_word_size, 16);
    check_open(MPILENS_ERROR_CORRUPT);
}

Test(hostile, root_sizes_and_counts_that_cannot_be_are_corrupt)
{
    static const struct {
        enum mpilens_field field;
        uint32_t value;
    } lies[] = {
        {MPILENS_FIELD_process_process_size, 0},
        {MPILENS_FIELD_process_process_size, MPILENS_PROCESS_FIXED_SIZE},
        {MPILENS_FIELD_process_process_size, 8 + sizeof(struct mpilens_process)},
        {MPILENS_FIELD_process_process_size, UINT32_MAX},
        {MPILENS_FIELD_process_structs_offset, UINT32_MAX},
        {MPILENS_FIELD_process_structs_offset, UINT32_MAX - 8},
        {MPILENS_FIELD_process_struct_count, UINT32_MAX},
        {MPILENS_FIELD_process_struct_count, UINT32_MAX / sizeof(struct mpilens_struct_descriptor) + 2},
        {MPILENS_FIELD_process_struct_count, 3},
        {MPILENS_FIELD_process_fields_offset, UINT32_MAX},
        {MPILENS_FIELD_process_field_count, UINT32_MAX},
        {MPILENS_FIELD_process_field_count, UINT32_MAX / sizeof(struct mpilens_field_descriptor) + 2},
        {MPILENS_FIELD_process_field_count, 5},
    };
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        fake_target_publish(opened.job.target);
        lie(lies[i].field, lies[i].value);
        cr_assert_eq(fake_debugger_open(&opened.debugger), MPILENS_ERROR_CORRUPT, "lie %zu", i);
        fake_debugger_close(&opened.debugger);
    }
}

Test(hostile, descriptors_that_lead_out_of_their_struct_are_corrupt)
{
    const uint64_t fields =
        opened.job.target->root + opened.job.target->fields[MPILENS_FIELD_process_field_descriptors].offset;
    const size_t used = opened.job.target->used;
    for (unsigned field = 0; field < MPILENS_FIELD_COUNT; field++) {
        for (int which = 0; which < 4; which++) {
            fake_target_publish(opened.job.target);
            const uint64_t descriptor = fields + field * sizeof(struct mpilens_field_descriptor);
            static const uint32_t values[4] = {UINT32_MAX, 1u << 19, 0, UINT32_MAX - 3};
            fake_target_put_field(
                opened.job.target, descriptor,
                which < 2 ? MPILENS_FIELD_field_descriptor_offset : MPILENS_FIELD_field_descriptor_size, values[which]);
            cr_assert_eq(fake_debugger_open(&opened.debugger), MPILENS_ERROR_CORRUPT, "field %u, lie %d", field, which);
            fake_debugger_close(&opened.debugger);
            opened.job.target->used = used;
        }
    }
}

static uint64_t head(enum mpilens_table_kind kind)
{
    return opened.job.target->root + opened.job.target->fields[MPILENS_FIELD_process_tables].offset +
           kind * (uint64_t)opened.job.target->struct_size[MPILENS_STRUCT_table];
}

static void lie_about_table(enum mpilens_table_kind kind, enum mpilens_field field, uint64_t value)
{
    fake_target_put_field(opened.job.target, head(kind), field, value);
}

static void lie_about_chunk(enum mpilens_table_kind kind, enum mpilens_field field, uint64_t value)
{
    fake_target_put_field(opened.job.target, opened.job.target->process.tables[kind].directory, field, value);
}

Test(hostile, table_with_a_directory_nowhere_is_unreadable)
{
    lie_about_table(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_table_directory, 0x1000);
    check_update(MPILENS_ERROR_UNREADABLE);
}

Test(hostile, table_with_a_directory_at_the_end_of_memory_is_corrupt)
{
    lie_about_table(MPILENS_TABLE_GROUPS, MPILENS_FIELD_table_directory, UINT64_MAX - 4);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, table_with_a_directory_at_zero_is_corrupt)
{
    lie_about_table(MPILENS_TABLE_GROUPS, MPILENS_FIELD_table_directory, 0);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, table_with_too_many_chunks_is_corrupt)
{
    lie_about_table(MPILENS_TABLE_THREADS, MPILENS_FIELD_table_chunk_count, UINT32_MAX);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, table_whose_records_are_shorter_than_their_struct_is_corrupt)
{
    lie_about_table(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_table_record_bytes, 8);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, table_with_records_of_no_length_is_corrupt)
{
    lie_about_table(MPILENS_TABLE_DATATYPES, MPILENS_FIELD_table_record_bytes, 0);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, table_with_huge_records_is_corrupt)
{
    lie_about_table(MPILENS_TABLE_DATATYPES, MPILENS_FIELD_table_record_bytes, UINT32_MAX);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, chunk_that_is_fuller_than_full_is_corrupt)
{
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_high_water, 1000000);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, chunk_that_is_longer_than_memory_is_found_out_at_once)
{
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_capacity, UINT32_MAX);
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_high_water, 200000);
    opened.debugger.allocation_limit = (size_t)64 << 20;
    check_update(MPILENS_ERROR_UNREADABLE);
}

Test(hostile, chunk_that_is_longer_than_the_runtime_has_memory_is_not_read)
{
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_capacity, UINT32_MAX);
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_high_water, 100000000);
    opened.debugger.allocation_limit = (size_t)64 << 20;
    check_update(MPILENS_ERROR_BEYOND_BUDGET);
    cr_assert_lt(opened.debugger.bytes_read, (uint64_t)4 << 20);
}

Test(hostile, chunk_of_memory_that_was_never_written_is_given_up)
{
    const uint64_t hole = UINT64_C(1) << 40;
    lie(MPILENS_FIELD_process_memory_bytes, UINT64_C(1) << 40);
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_records, hole);
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_capacity, 20000000);
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_high_water, 20000000);
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_in_use, 20000000);
    opened.debugger.hole_begin = hole;
    opened.debugger.hole_end = hole + (UINT64_C(1) << 33);
    check_update(MPILENS_ERROR_BEYOND_BUDGET);
    cr_assert_lt(opened.debugger.bytes_read, (uint64_t)1 << 28);
}

Test(hostile, chunk_at_the_end_of_memory_is_corrupt)
{
    lie_about_chunk(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_chunk_records, UINT64_MAX - 100);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, chunks_that_overlap_are_corrupt)
{
    /* The same chunk a thousand times would be a thousandfold copy. */
    struct fake_target *target = opened.job.target;
    const uint32_t size = target->struct_size[MPILENS_STRUCT_chunk];
    const uint64_t directory = fake_target_reserve(target, (size_t)1000 * size);
    for (uint64_t i = 0; i < 1000; i++)
        fake_target_put(target, MPILENS_STRUCT_chunk, directory + i * size,
                        &target->tables[MPILENS_TABLE_OPERATIONS].chunks[0]);
    lie_about_table(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_table_directory, directory);
    lie_about_table(MPILENS_TABLE_OPERATIONS, MPILENS_FIELD_table_chunk_count, 1000);
    check_update(MPILENS_ERROR_CORRUPT);
}

Test(hostile, functions_that_are_none_or_too_many_are_corrupt)
{
    lie(MPILENS_FIELD_process_function_count, 0);
    check_update(MPILENS_ERROR_CORRUPT);
    lie(MPILENS_FIELD_process_function_count, UINT32_MAX);
    cr_assert_eq(mqs_update_communicator_list(opened.process), MPILENS_ERROR_CORRUPT);
}

Test(hostile, functions_nowhere_are_unreadable)
{
    lie(MPILENS_FIELD_process_functions, 0x1000);
    check_update(MPILENS_ERROR_UNREADABLE);
}

Test(hostile, records_that_refer_to_each_other_in_circles_end)
{
    struct mpilens_operation operation =
        fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, 2, 1);
    uint64_t first = fake_job_add(&opened.job, &operation);
    operation = fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, 2, 1);
    operation.second = first;
    operation.next = first;
    uint64_t second = fake_job_add(&opened.job, &operation);
    fake_target_put_field(opened.job.target, first, MPILENS_FIELD_operation_second, second);
    fake_target_put_field(opened.job.target, opened.job.split, MPILENS_FIELD_communicator_parent_id, 102);
    fake_target_publish(opened.job.target);
    cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
    struct walk_result result = walk_everything(opened.process, 4);
    cr_assert(result.update == mqs_ok && result.operations == 6 && result.wrong == 0);
}

Test(hostile, operations_that_are_neither_send_nor_receive_are_counted_and_left_out)
{
    struct mpilens_operation operation = fake_job_operation(&opened.job, opened.job.function.isend, 0, 2, 1);
    fake_job_add(&opened.job, &operation);
    operation = fake_job_operation(&opened.job, opened.job.function.isend, MPILENS_OPERATION_SEND, 2, 1);
    operation.state = 99;
    fake_job_add(&opened.job, &operation);
    fake_target_publish(opened.job.target);
    cr_assert_eq(fake_debugger_open(&opened.debugger), mqs_ok);
    struct walk_result result = walk_everything(opened.process, 4);
    cr_assert(result.update == mqs_ok && result.operations == 4 && result.wrong == 0);
    struct mpilens_process_information information = {.struct_size = sizeof information};
    cr_assert_eq(mpilens_get_process(opened.process, &information), mqs_ok);
    cr_assert_eq(information.torn_records, 2);
}
