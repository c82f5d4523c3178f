/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type signatures of collective calls, against what MPI 4.1, section 5.1, says they are.
 */
#include "made_types.h"

#include <criterion/criterion.h>
#include <stddef.h>

static uint64_t int_type, double_type, char_type, byte_type;

static void create(void)
{
    create_job();
    int_type = make_basic("MPI_INT", 4, 4);
    double_type = make_basic("MPI_DOUBLE", 8, 8);
    char_type = make_basic("MPI_CHAR", 1, 1);
    byte_type = make_basic("MPI_BYTE", 1, 1);
}

TestSuite(signatures, .init = create, .fini = close_job);

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

#define EQUAL(left_count, left, right_count, right)                                                                    \
    do {                                                                                                               \
        const uint64_t signature = signature_of(left_count, left);                                                     \
        cr_expect_neq(signature, 0);                                                                                   \
        cr_expect_eq(signature, signature_of(right_count, right));                                                     \
    } while (0)

#define DIFFERENT(left_count, left, right_count, right)                                                                \
    do {                                                                                                               \
        const uint64_t left_one = signature_of(left_count, left), right_one = signature_of(right_count, right);        \
        cr_expect(left_one != 0 && right_one != 0 && left_one != right_one);                                           \
    } while (0)

/* Every name is found, and is what it should be. */
Test(signatures, of_names_for_the_same)
{
    static const struct {
        int64_t size;
        const char *names[12];
    } same[] = {
        {1, {"MPI_CHAR", "MPI_CHARACTER"}},
        {1, {"MPI_SIGNED_CHAR", "MPI_INT8_T", "MPI_INTEGER1"}},
        {2, {"MPI_SHORT", "MPI_INT16_T", "MPI_INTEGER2"}},
        {4, {"MPI_INT", "MPI_INT32_T", "MPI_INTEGER", "MPI_INTEGER4"}},
        {8,
         {"MPI_LONG", "MPI_LONG_LONG", "MPI_LONG_LONG_INT", "MPI_INT64_T", "MPI_INTEGER8", "MPI_AINT", "MPI_OFFSET",
          "MPI_COUNT"}},
        {16, {"MPI_INTEGER16"}},
        {1, {"MPI_UNSIGNED_CHAR", "MPI_UINT8_T"}},
        {2, {"MPI_UNSIGNED_SHORT", "MPI_UINT16_T"}},
        {4, {"MPI_UNSIGNED", "MPI_UINT32_T"}},
        {8, {"MPI_UNSIGNED_LONG", "MPI_UNSIGNED_LONG_LONG", "MPI_UINT64_T"}},
        {2, {"MPI_REAL2"}},
        {4, {"MPI_FLOAT", "MPI_REAL", "MPI_REAL4"}},
        {8, {"MPI_DOUBLE", "MPI_DOUBLE_PRECISION", "MPI_REAL8"}},
        {16, {"MPI_LONG_DOUBLE", "MPI_REAL16"}},
        {4, {"MPI_COMPLEX4"}},
        {8, {"MPI_C_COMPLEX", "MPI_C_FLOAT_COMPLEX", "MPI_CXX_FLOAT_COMPLEX", "MPI_COMPLEX", "MPI_COMPLEX8"}},
        {16, {"MPI_C_DOUBLE_COMPLEX", "MPI_CXX_DOUBLE_COMPLEX", "MPI_DOUBLE_COMPLEX", "MPI_COMPLEX16"}},
        {32, {"MPI_C_LONG_DOUBLE_COMPLEX", "MPI_CXX_LONG_DOUBLE_COMPLEX", "MPI_COMPLEX32"}},
        {1, {"MPI_C_BOOL", "MPI_CXX_BOOL", "MPI_LOGICAL1"}},
        {2, {"MPI_LOGICAL2"}},
        {4, {"MPI_LOGICAL", "MPI_LOGICAL4"}},
        {8, {"MPI_LOGICAL8"}},
        {16, {"MPI_LOGICAL16"}},
        {4, {"MPI_WCHAR"}},
        {6, {"MPI_SHORT_INT"}},
        {8, {"MPI_2INT", "MPI_2INTEGER"}},
        {8, {"MPI_FLOAT_INT"}},
        {12, {"MPI_LONG_INT"}},
        {12, {"MPI_DOUBLE_INT"}},
        {20, {"MPI_LONG_DOUBLE_INT"}},
        {8, {"MPI_2REAL"}},
        {16, {"MPI_2DOUBLE_PRECISION"}},
        {16, {"MPI_2COMPLEX"}},
        {32, {"MPI_2DOUBLE_COMPLEX"}},
    };
    enum { SETS = sizeof same / sizeof same[0], NAMES = sizeof same[0].names / sizeof same[0].names[0] };
    uint64_t types[SETS][NAMES] = {0}, signatures[SETS];
    for (size_t i = 0; i < SETS; i++)
        for (size_t j = 0; j < NAMES && same[i].names[j]; j++)
            types[i][j] = make_basic(same[i].names[j], same[i].size, same[i].size);
    for (size_t i = 0; i < SETS; i++) {
        signatures[i] = signature_of(3, types[i][0]);
        cr_expect_neq(signatures[i], 0, "%s", same[i].names[0]);
        for (size_t j = 1; j < NAMES && same[i].names[j]; j++)
            cr_expect_eq(signature_of(3, types[i][j]), signatures[i], "%s", same[i].names[j]);
        for (size_t j = 0; j < i; j++)
            cr_expect_neq(signatures[i], signatures[j], "%s %s", same[i].names[0], same[j].names[0]);
    }
}

Test(signatures, of_one_name_with_different_sizes)
{
    const uint64_t small = make_basic("MPI_INTEGER", 4, 4), large = make_basic("MPI_INTEGER", 8, 8);
    DIFFERENT(5, small, 5, large);
    EQUAL(5, small, 5, int_type);
}

Test(signatures, of_pairs_are_those_of_both)
{
    const uint64_t named = make_basic("MPI_DOUBLE_INT", 12, 16), twice = make_basic("MPI_2INT", 8, 8);
    const uint64_t combined = TYPE(VALUE_INDEX, TYPES(2, double_type, int_type));
    const uint64_t made = pair_of(double_type, int_type), reversed = pair_of(int_type, double_type);
    EQUAL(7, named, 7, made);
    EQUAL(7, named, 7, combined);
    DIFFERENT(7, named, 7, reversed);
    EQUAL(7, twice, 14, int_type);
}

Test(signatures, of_other_counts_and_orders_differ)
{
    const uint64_t mixed = pair_of(int_type, double_type);
    const uint64_t apart = TYPE(STRUCT, INTEGERS(3, 2, 2, 2), ADDRESSES(2, 0, 8), TYPES(2, int_type, double_type));
    DIFFERENT(1000, int_type, 1001, int_type);
    DIFFERENT(1000, int_type, 500, double_type);
    DIFFERENT(2, mixed, 1, apart);
}

Test(signatures, do_not_depend_on_nesting)
{
    const uint64_t four = contiguous(4, int_type), many = contiguous(1000000, contiguous(1000000, int_type));
    const uint64_t pair = pair_of(int_type, double_type), nested = contiguous(3, contiguous(5, pair));
    EQUAL(3, four, 12, int_type);
    EQUAL(2, nested, 30, pair);
    EQUAL(5000, many, INT64_C(5000000000000000), int_type);
    DIFFERENT(5000, many, INT64_C(5000000000000001), int_type);
}

Test(signatures, of_vectors)
{
    const uint64_t vector = TYPE(VECTOR, INTEGERS(3, 5, 3, 7), TYPES(1, int_type));
    const uint64_t bytes = TYPE(HVECTOR, INTEGERS(2, 5, 3), ADDRESSES(1, 99), TYPES(1, int_type));
    EQUAL(2, vector, 30, int_type);
    EQUAL(2, bytes, 30, int_type);
}

Test(signatures, of_blocks)
{
    const uint64_t indexed = TYPE(INDEXED, INTEGERS(7, 3, 2, 0, 5, 9, 0, -4), TYPES(1, double_type));
    const uint64_t in_bytes = TYPE(HINDEXED, INTEGERS(4, 3, 2, 0, 5), ADDRESSES(3, 9, 0, -4), TYPES(1, double_type));
    const uint64_t block = TYPE(INDEXED_BLOCK, INTEGERS(5, 3, 2, 5, 0, 9), TYPES(1, double_type));
    const uint64_t block_in_bytes =
        TYPE(HINDEXED_BLOCK, INTEGERS(2, 3, 2), ADDRESSES(3, 30, 2, 60), TYPES(1, double_type));
    EQUAL(2, indexed, 14, double_type);
    EQUAL(2, in_bytes, 14, double_type);
    EQUAL(2, block, 12, double_type);
    EQUAL(2, block_in_bytes, 12, double_type);
}

Test(signatures, of_structs)
{
    const uint64_t made =
        TYPE(STRUCT, INTEGERS(4, 3, 2, 0, 3), ADDRESSES(3, 0, 16, 26), TYPES(3, int_type, byte_type, int_type));
    const uint64_t inner = contiguous(2, int_type);
    const uint64_t mixed =
        TYPE(STRUCT, INTEGERS(4, 3, 1, 1, 2), ADDRESSES(3, 0, 16, 26), TYPES(3, inner, double_type, int_type));
    const uint64_t plain =
        TYPE(STRUCT, INTEGERS(4, 3, 2, 1, 2), ADDRESSES(3, 0, 8, 16), TYPES(3, int_type, double_type, int_type));
    EQUAL(1, made, 5, int_type);
    EQUAL(4, mixed, 4, plain);
}

Test(signatures, of_parts_of_arrays)
{
    const uint64_t part = TYPE(SUBARRAY, INTEGERS(8, 2, 100, 1000, 3, 20, 2, 10, MPILENS_ORDER_C), TYPES(1, int_type));
    /* 10 indices in blocks of 3 over 2 processes: the first has 0-2 and 6-8, the second 3-5 and 9. */
    const uint64_t distributed =
        TYPE(DARRAY, INTEGERS(8, 2, 1, 1, 10, MPILENS_DISTRIBUTE_CYCLIC, 3, 2, MPILENS_ORDER_C), TYPES(1, int_type));
    const uint64_t huge = TYPE(
        SUBARRAY, INTEGERS(11, 3, 2000000, 2000000, 2000000, 1000000, 1000000, 1000000, 0, 0, 0, MPILENS_ORDER_FORTRAN),
        TYPES(1, int_type));
    EQUAL(1, part, 60, int_type);
    EQUAL(3, distributed, 12, int_type);
    EQUAL(1, huge, INT64_C(1000000000000000000), int_type);
}

Test(signatures, of_what_lies_elsewhere_or_is_copied)
{
    const uint64_t resized = TYPE(RESIZED, ADDRESSES(2, -8, 640), TYPES(1, int_type));
    const uint64_t copy = TYPE(DUP, TYPES(1, resized));
    EQUAL(9, copy, 9, int_type);
}

Test(signatures, of_fortran_types_by_parameters)
{
    const uint64_t real = MADE(.combiner = MPILENS_COMBINER_F90_REAL, .size = 8, .extent = 8, INTEGERS(2, 15, 307));
    const uint64_t complex =
        MADE(.combiner = MPILENS_COMBINER_F90_COMPLEX, .size = 16, .extent = 16, INTEGERS(2, 15, 307));
    const uint64_t integer = MADE(.combiner = MPILENS_COMBINER_F90_INTEGER, .size = 4, .extent = 4, INTEGERS(1, 9));
    const uint64_t double_complex = make_basic("MPI_DOUBLE_COMPLEX", 16, 16);
    EQUAL(9, real, 9, double_type);
    EQUAL(9, complex, 9, double_complex);
    EQUAL(9, integer, 9, int_type);
}

Test(signatures, of_nothing_are_the_same)
{
    const uint64_t empty =
        MADE(.combiner = MPILENS_COMBINER_CONTIGUOUS, .size = 0, .extent = 0, INTEGERS(1, 0), TYPES(1, byte_type));
    const uint64_t marker = make_basic("MPI_UB", 0, 0);
    EQUAL(0, int_type, 0, double_type);
    EQUAL(0, int_type, 7, empty);
    EQUAL(0, int_type, 7, marker);
    EQUAL(0, int_type, 0, byte_type);
    EQUAL(0, int_type, 0, 0);
    DIFFERENT(0, int_type, 1, int_type);
}

Test(signatures, of_predefined_datatypes_need_no_memory_and_no_reads)
{
    signature_of(1, int_type);
    mqs_update_communicator_list(opened.process);
    cr_assert(opened_job_go_to(&opened, "MPI_COMM_WORLD"));
    struct mpilens_collective_information got = {.struct_size = sizeof got};
    const uint64_t reads = opened.debugger.reads, allocations = fake_allocations();
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_collective(opened.process, &got), mqs_ok);
    cr_expect_neq(got.signature, 0);
    cr_expect(opened.debugger.reads == reads && fake_allocations() == allocations);
}

Test(signatures, are_not_given_to_who_does_not_know_them)
{
    signature_of(1, int_type);
    struct mpilens_collective_information got = {
        .struct_size = offsetof(struct mpilens_collective_information, signature), .signature = 77};
    cr_assert_eq(mpilens_setup_collective_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_collective(opened.process, &got), mqs_ok);
    cr_expect_eq(got.signature, 77);
}
