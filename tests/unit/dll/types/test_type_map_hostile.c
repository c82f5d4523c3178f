/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type maps of processes whose memory was overwritten: they end, and cost little.
 */
#include "made_types.h"

#include <criterion/criterion.h>

static uint64_t int_type;

static void create(void)
{
    create_job();
    opened.job.target->process.handle_bytes = 4;
    int_type = make_basic("INT", 4, 4);
}

TestSuite(hostile_type_map, .init = create, .fini = close_job);

enum { ENTRY_LIMIT = 50 };

static uint64_t contiguous_of(uint64_t type)
{
    return make_type(&(struct made_type){.combiner = MPILENS_COMBINER_CONTIGUOUS,
                                         .size = 4,
                                         .extent = 4,
                                         .integers = {1},
                                         .integer_count = 1,
                                         .datatypes = {type},
                                         .datatype_count = 1});
}

static uint64_t struct_of(uint64_t first, uint64_t second)
{
    return make_type(&(struct made_type){.combiner = MPILENS_COMBINER_STRUCT,
                                         .size = 8,
                                         .extent = 8,
                                         .integers = {2, 1, 1},
                                         .integer_count = 3,
                                         .addresses = {0, 4},
                                         .address_count = 2,
                                         .datatypes = {first, second},
                                         .datatype_count = 2});
}

static const char *map_with_few_reads(void)
{
    open_job();
    const uint64_t before = opened.debugger.reads;
    const char *map = map_of_top(ENTRY_LIMIT);
    cr_assert_lt(opened.debugger.reads - before, 200);
    return map;
}

Test(hostile_type_map, type_that_contains_itself)
{
    const uint64_t record = contiguous_of(int_type);
    put_argument(record, 1, record);
    name_top(record);
    cr_assert_str_eq(map_with_few_reads(), "!1");
}

Test(hostile_type_map, types_that_contain_each_other_twice)
{
    const uint64_t first = struct_of(int_type, int_type);
    const uint64_t second = struct_of(first, first);
    put_argument(first, 5, second);
    put_argument(first, 6, second);
    name_top(first);
    cr_assert_str_eq(map_with_few_reads(), "!1");
}

Test(hostile_type_map, type_whose_second_part_is_itself)
{
    const uint64_t record = struct_of(int_type, int_type);
    put_argument(record, 6, record);
    name_top(record);
    const char *map = map_with_few_reads();
    cr_assert_eq(strncmp(map, "INT@0; INT@4; INT@8", 19), 0, "%s", map);
}

Test(hostile_type_map, very_deep_types)
{
    uint64_t record = int_type;
    for (int i = 0; i < 60; i++)
        record = contiguous_of(record);
    name_top(record);
    open_job();
    cr_assert_str_eq(map_of_top(ENTRY_LIMIT), "INT@0");
}

Test(hostile_type_map, deeper_types_are_not_gone_into)
{
    uint64_t record = int_type;
    for (int i = 0; i < 200; i++)
        record = contiguous_of(record);
    name_top(record);
    open_job();
    cr_assert_str_eq(map_of_top(ENTRY_LIMIT), "!1");
}

Test(hostile_type_map, millions_of_items_that_are_nothing)
{
    const uint64_t record = struct_of(int_type, int_type);
    const uint32_t count = 1 << 10;
    const uint64_t arguments = fake_target_reserve(opened.job.target, (1 + 3 * (size_t)count) * 8);
    const uint64_t inner = contiguous_of(int_type);
    fake_target_put_integer(opened.job.target, arguments, 8, count);
    for (uint32_t i = 0; i < count; i++) {
        fake_target_put_integer(opened.job.target, arguments + (1 + i) * 8, 8, 1);
        fake_target_put_integer(opened.job.target, arguments + (1 + 2 * (uint64_t)count + i) * 8, 8, inner);
    }
    put_field(record, MPILENS_FIELD_datatype_integer_count, 1 + count);
    put_field(record, MPILENS_FIELD_datatype_address_count, count);
    put_field(record, MPILENS_FIELD_datatype_datatype_count, count);
    put_field(record, MPILENS_FIELD_datatype_arguments, arguments);
    /* Each is again as many blocks, which are empty though it says that it is not. */
    put_field(inner, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_INDEXED_BLOCK);
    const uint64_t empty = fake_target_reserve(opened.job.target, (3 + (size_t)count * 8) * 8);
    fake_target_put_integer(opened.job.target, empty, 8, (uint64_t)count * 8);
    fake_target_put_integer(opened.job.target, empty + (2 + (uint64_t)count * 8) * 8, 8, int_type);
    put_field(inner, MPILENS_FIELD_datatype_integer_count, 2 + count * 8);
    put_field(inner, MPILENS_FIELD_datatype_arguments, empty);
    name_top(record);
    cr_assert_str_eq(map_with_few_reads(), "!108");
}

Test(hostile_type_map, arguments_that_cannot_be)
{
    static const struct {
        uint32_t combiner;
        size_t number;
        uint64_t value;
    } lies[] = {
        {MPILENS_COMBINER_CONTIGUOUS, 0, UINT64_MAX},
        {MPILENS_COMBINER_VECTOR, 0, 1},
        {MPILENS_COMBINER_HVECTOR, 0, 1},
        {MPILENS_COMBINER_INDEXED, 0, UINT64_MAX},
        {MPILENS_COMBINER_INDEXED, 0, UINT32_MAX},
        {MPILENS_COMBINER_HINDEXED, 0, UINT64_C(1) << 63},
        {MPILENS_COMBINER_INDEXED_BLOCK, 0, 5},
        {MPILENS_COMBINER_HINDEXED_BLOCK, 0, 5},
        {MPILENS_COMBINER_STRUCT, 0, 7},
        {MPILENS_COMBINER_SUBARRAY, 0, UINT64_MAX},
        {MPILENS_COMBINER_DARRAY, 0, UINT64_MAX},
        {MPILENS_COMBINER_RESIZED, 0, 0},
        {MPILENS_COMBINER_DUP, 0, 0},
        {MPILENS_COMBINER_VALUE_INDEX, 0, 0},
    };
    const uint64_t record = contiguous_of(int_type);
    name_top(record);
    open_job();
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        put_field(record, MPILENS_FIELD_datatype_combiner, lies[i].combiner);
        put_argument(record, 0, lies[i].value);
        copy_again();
        cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "!108", "%zu", i);
    }
}

Test(hostile_type_map, what_is_not_known)
{
    const uint64_t record = struct_of(int_type, int_type);
    put_argument(record, 6, 0);
    name_top(record);
    open_job();
    cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "INT@0!1");
    put_argument(record, 6, opened.job.world);
    copy_again();
    cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "INT@0!1");
    put_field(record, MPILENS_FIELD_datatype_arguments, 0);
    copy_again();
    cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "!1");
    put_field(record, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_UNKNOWN);
    copy_again();
    cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "!1");
    put_field(record, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_STRUCT);
    put_field(record, MPILENS_FIELD_datatype_arguments, 40);
    copy_again();
    cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "!107");
    put_field(int_type, MPILENS_FIELD_datatype_handle, 0x8c0000ff);
    put_field(int_type, MPILENS_FIELD_datatype_size, UINT64_MAX);
    put_field(record, MPILENS_FIELD_datatype_handle, 1);
    copy_again();
    cr_expect_str_eq(map_of_top(ENTRY_LIMIT), "!1");
}
