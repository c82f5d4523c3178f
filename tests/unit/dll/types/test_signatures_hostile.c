/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type signatures of collective calls that cannot be known, or of processes whose memory was overwritten.
 */
#include "made_types.h"

#include <criterion/criterion.h>

static uint64_t int_type, double_type, byte_type;

static void create_types(void)
{
    int_type = make_basic("MPI_INT", 4, 4);
    double_type = make_basic("MPI_DOUBLE", 8, 8);
    byte_type = make_basic("MPI_BYTE", 1, 1);
}

static void create(void)
{
    create_job();
    create_types();
}

static void create_large(void)
{
    opened_job_create(&opened, &(struct fake_options){.word_size = 8, .memory_bytes = (size_t)1 << 25});
    create_types();
}

TestSuite(hostile_signatures, .init = create, .fini = close_job);
TestSuite(many_blocks, .init = create_large, .fini = close_job);

#define INTEGERS(count, ...)  .integers = {__VA_ARGS__}, .integer_count = (count)
#define ADDRESSES(count, ...) .addresses = {__VA_ARGS__}, .address_count = (count)
#define TYPES(count, ...)     .datatypes = {__VA_ARGS__}, .datatype_count = (count)

/* Sizes and extents of made types play no part. */
#define TYPE(which, ...) MADE(.combiner = MPILENS_COMBINER_##which, .size = 8, .extent = 64, __VA_ARGS__)

static uint64_t contiguous(int64_t count, uint64_t type)
{
    return TYPE(CONTIGUOUS, INTEGERS(1, count), TYPES(1, type));
}

static uint64_t pair_of(uint64_t first, uint64_t second)
{
    return TYPE(STRUCT, INTEGERS(3, 2, 1, 1), ADDRESSES(2, 0, 8), TYPES(2, first, second));
}

Test(hostile_signatures, that_cannot_be_compared)
{
    const uint64_t packed = make_basic("MPI_PACKED", 1, 1), strange = make_basic("MPI_STRANGE", 4, 4);
    const uint64_t renamed = make_basic("INT", 4, 4), sizeless = make_basic("MPI_INT", -1, 4);
    const uint64_t with_bytes = pair_of(int_type, contiguous(1, byte_type)), with_null = pair_of(int_type, 0);
    const uint64_t lost = TYPE(CONTIGUOUS, INTEGERS(1, 4), TYPES(1, int_type));
    const uint64_t unknown = TYPE(UNKNOWN, INTEGERS(1, 4), TYPES(1, int_type));
    const uint64_t none[] = {byte_type, packed, strange, renamed, sizeless,         with_bytes,
                             with_null, lost,   unknown, 0,       opened.job.world, 40};
    put_field(lost, MPILENS_FIELD_datatype_arguments, 0);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        cr_expect_eq(signature_of(3, none[i]), 0, "%zu", i);
    cr_expect_eq(signature_of(-1, int_type), 0, "none, or several counts");
}

Test(hostile_signatures, of_types_that_contain_themselves)
{
    const uint64_t loop = contiguous(2, int_type);
    put_argument(loop, 1, loop);
    const uint64_t first = pair_of(int_type, int_type), second = pair_of(first, first);
    put_argument(first, 5, second);
    put_argument(first, 6, second);
    cr_expect_eq(signature_of(1, loop), 0);
    cr_expect_eq(signature_of(1, first), 0);
    cr_expect_eq(signature_of(1, second), 0);
}

Test(hostile_signatures, of_deep_types)
{
    uint64_t deep = int_type, deeper = int_type;
    for (int i = 0; i < 30; i++)
        deep = pair_of(deep, deep);
    for (int i = 0; i < 200; i++)
        deeper = contiguous(1, deeper);
    cr_expect_eq(signature_of(1, deep), signature_of(INT64_C(1) << 30, int_type));
    cr_expect_eq(signature_of(1, deeper), 0, "deeper than anybody goes");
}

/* Two to the 60th leaves, no two neighbours of the same datatype. */
Test(hostile_signatures, of_very_many_parts_cost_little)
{
    uint64_t left = int_type, right = double_type;
    for (int i = 0; i < 60; i++) {
        const uint64_t next = pair_of(left, right);
        right = pair_of(right, left);
        left = next;
    }
    signature_of(1, int_type);
    const uint64_t before = opened.debugger.reads;
    const uint64_t signature = signature_of(1, left);
    cr_expect_lt(opened.debugger.reads - before, 500);
    cr_expect(signature != 0 && signature != signature_of(1, right));
}

/* Elements as they come. */
static uint64_t make_blocks(uint32_t count)
{
    const uint64_t blocks = TYPE(INDEXED_BLOCK, INTEGERS(3, 1, 1, 0), TYPES(1, int_type));
    const uint64_t arguments = fake_target_reserve(opened.job.target, (3 + (size_t)count) * 8);
    fake_target_put_integer(opened.job.target, arguments, 8, count);
    fake_target_put_integer(opened.job.target, arguments + 8, 8, 1);
    fake_target_put_integer(opened.job.target, arguments + (2 + (uint64_t)count) * 8, 8, int_type);
    put_field(blocks, MPILENS_FIELD_datatype_integer_count, 2 + count);
    put_field(blocks, MPILENS_FIELD_datatype_arguments, arguments);
    return blocks;
}

Test(many_blocks, are_counted)
{
    const uint64_t blocks = make_blocks(1000000);
    cr_expect_eq(signature_of(1, blocks), signature_of(1000000, int_type));
}

Test(many_blocks, of_which_there_are_too_many)
{
    cr_expect_eq(signature_of(1, make_blocks(3000000)), 0);
}

Test(hostile_signatures, of_arguments_that_cannot_be)
{
    static const struct {
        uint32_t combiner;
        uint64_t value;
    } lies[] = {
        {MPILENS_COMBINER_CONTIGUOUS, UINT64_MAX},
        {MPILENS_COMBINER_VECTOR, 1},
        {MPILENS_COMBINER_HVECTOR, 1},
        {MPILENS_COMBINER_INDEXED, UINT64_MAX},
        {MPILENS_COMBINER_HINDEXED, UINT64_C(1) << 63},
        {MPILENS_COMBINER_INDEXED_BLOCK, 5},
        {MPILENS_COMBINER_HINDEXED_BLOCK, 5},
        {MPILENS_COMBINER_STRUCT, 7},
        {MPILENS_COMBINER_SUBARRAY, UINT64_MAX},
        {MPILENS_COMBINER_DARRAY, UINT64_MAX},
        {MPILENS_COMBINER_RESIZED, 0},
        {MPILENS_COMBINER_DUP, 0},
        {MPILENS_COMBINER_VALUE_INDEX, 0},
        {MPILENS_COMBINER_COUNT, 1},
    };
    const uint64_t record = contiguous(1, int_type);
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        put_field(record, MPILENS_FIELD_datatype_combiner, lies[i].combiner);
        put_argument(record, 0, lies[i].value);
        cr_expect_eq(signature_of(1, record), 0, "%zu", i);
    }
    put_field(record, MPILENS_FIELD_datatype_combiner, MPILENS_COMBINER_CONTIGUOUS);
    put_field(record, MPILENS_FIELD_datatype_arguments, 40);
    cr_expect_eq(signature_of(1, record), 0, "they cannot be read");
}
