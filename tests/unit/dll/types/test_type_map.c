/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type maps against the definitions in MPI 4.1, section 5.1, by hand.
 */
#include "made_types.h"

#include <criterion/criterion.h>

static uint64_t int_type, double_type, char_type;

static void create(void)
{
    create_job();
    opened.job.target->process.handle_bytes = 4;
    int_type = make_basic("INT", 4, 4);
    double_type = make_basic("DOUBLE", 8, 8);
    char_type = make_basic("CHAR", 1, 1);
}

TestSuite(type_map, .init = create, .fini = close_job);

#define CHECK(record, expected)                                                                                        \
    do {                                                                                                               \
        name_top(record);                                                                                              \
        open_job();                                                                                                    \
        cr_expect_str_eq(map_of_top(100), expected);                                                                   \
    } while (0)

#define INTEGERS(count, ...)  .integers = {__VA_ARGS__}, .integer_count = (count)
#define ADDRESSES(count, ...) .addresses = {__VA_ARGS__}, .address_count = (count)
#define TYPES(count, ...)     .datatypes = {__VA_ARGS__}, .datatype_count = (count)

/* {(double, 0), (char, 8)} with extent 16, the example of the standard. */
static uint64_t make_pair(void)
{
    return MADE(.combiner = MPILENS_COMBINER_STRUCT, .size = 9, .extent = 16, INTEGERS(3, 2, 1, 1), ADDRESSES(2, 0, 8),
                TYPES(2, double_type, char_type));
}

static uint64_t make_contiguous(int64_t count, uint64_t type, int64_t size, int64_t extent)
{
    return MADE(.combiner = MPILENS_COMBINER_CONTIGUOUS, .size = size, .extent = extent, INTEGERS(1, count),
                TYPES(1, type));
}

static uint64_t make_vector(int64_t count, int64_t length, int64_t stride, uint64_t type, int64_t size, int64_t extent)
{
    return MADE(.combiner = MPILENS_COMBINER_VECTOR, .size = size, .extent = extent, INTEGERS(3, count, length, stride),
                TYPES(1, type));
}

Test(type_map, named)
{
    CHECK(int_type, "INT@0");
}

Test(type_map, contiguous_of_a_billion)
{
    CHECK(make_contiguous(1000000000, int_type, 4000000000, 4000000000), "INT@0 x1000000000/4");
}

Test(type_map, contiguous_of_a_struct)
{
    CHECK(make_contiguous(3, make_pair(), 27, 48), "DOUBLE@0; CHAR@8; DOUBLE@16; CHAR@24; DOUBLE@32; CHAR@40");
}

Test(type_map, vector_of_a_billion_blocks)
{
    CHECK(make_vector(1000000000, 1, 2, double_type, 8000000000, 16000000000), "DOUBLE@0 x1000000000/16");
}

Test(type_map, vector_of_a_billion_longer_blocks)
{
    CHECK(make_vector(1000000000, 3, 5, int_type, 12000000000, 20000000000), "INT@0 x3/4 x1000000000/20");
}

Test(type_map, vector_whose_blocks_touch)
{
    CHECK(make_vector(7, 3, 3, int_type, 84, 84), "INT@0 x21/4");
}

Test(type_map, vector_that_runs_backwards)
{
    CHECK(make_vector(3, 1, -2, int_type, 12, 20), "INT@0 x3/-8");
}

/* MPI_Type_vector(2, 3, 4, oldtype): the example of the standard. */
Test(type_map, vector_of_a_struct)
{
    CHECK(make_vector(2, 3, 4, make_pair(), 54, 112),
          "DOUBLE@0; CHAR@8; DOUBLE@16; CHAR@24; DOUBLE@32; CHAR@40; DOUBLE@64; CHAR@72; DOUBLE@80; CHAR@88; "
          "DOUBLE@96; CHAR@104");
}

Test(type_map, vector_of_a_billion_structs_is_expanded_as_far_as_asked_for)
{
    name_top(make_vector(1000000000, 1, 4, make_pair(), 9000000000, 64000000000));
    open_job();
    const uint64_t reads = opened.debugger.reads;
    cr_assert_str_eq(map_of_top(5), "DOUBLE@0; CHAR@8; DOUBLE@64; CHAR@72; DOUBLE@128");
    cr_assert_eq(opened.debugger.reads, reads + 2, "the arguments of each datatype once");
}

Test(type_map, hvector_in_bytes)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_HVECTOR, .size = 24, .extent = 30, INTEGERS(2, 3, 2), ADDRESSES(1, 11),
               TYPES(1, int_type)),
          "INT@0 x2/4 x3/11");
}

Test(type_map, vectors_of_vectors)
{
    const uint64_t inner = make_vector(2, 2, 3, int_type, 16, 20);
    const uint64_t middle = make_vector(2, 1, 2, inner, 32, 60);
    CHECK(make_contiguous(2, middle, 64, 120),
          "INT@0 x2/4 x2/12; INT@40 x2/4 x2/12; INT@60 x2/4 x2/12; INT@100 x2/4 x2/12");
}

/* B = (3, 1), D = (4, 0): the example of the standard. */
Test(type_map, indexed)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_INDEXED, .size = 36, .extent = 112, INTEGERS(5, 2, 3, 1, 4, 0),
               TYPES(1, make_pair())),
          "DOUBLE@64; CHAR@72; DOUBLE@80; CHAR@88; DOUBLE@96; CHAR@104; DOUBLE@0; CHAR@8");
}

Test(type_map, indexed_with_empty_blocks)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_INDEXED, .size = 20, .extent = 40, INTEGERS(9, 4, 0, 3, 0, 2, 7, 1, 5, -2),
               TYPES(1, int_type)),
          "INT@4 x3/4; INT@-8 x2/4");
}

Test(type_map, hindexed)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_HINDEXED, .size = 12, .extent = 13, INTEGERS(3, 2, 1, 2),
               ADDRESSES(2, 9, 1), TYPES(1, int_type)),
          "INT@9; INT@1 x2/4");
}

Test(type_map, indexed_block)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_INDEXED_BLOCK, .size = 24, .extent = 44, INTEGERS(5, 3, 2, 5, 0, 9),
               TYPES(1, int_type)),
          "INT@20 x2/4; INT@0 x2/4; INT@36 x2/4");
}

Test(type_map, hindexed_block)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_HINDEXED_BLOCK, .size = 16, .extent = 40, INTEGERS(2, 2, 2),
               ADDRESSES(2, 30, 2), TYPES(1, int_type)),
          "INT@30 x2/4; INT@2 x2/4");
}

/* B = (2, 1, 3), D = (0, 16, 26), T = (float, type1, char): the example of the standard. */
Test(type_map, structure)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_STRUCT, .size = 20, .extent = 32, INTEGERS(4, 3, 2, 1, 3),
               ADDRESSES(3, 0, 16, 26), TYPES(3, int_type, make_pair(), char_type)),
          "INT@0 x2/4; DOUBLE@16; CHAR@24; CHAR@26 x3/1");
}

Test(type_map, resized_and_duplicated)
{
    const uint64_t resized =
        MADE(.combiner = MPILENS_COMBINER_RESIZED, .size = 4, .extent = 64, ADDRESSES(2, -8, 64), TYPES(1, int_type));
    const uint64_t copy = MADE(.combiner = MPILENS_COMBINER_DUP, .size = 4, .extent = 64, TYPES(1, resized));
    CHECK(make_contiguous(1000000, copy, 4000000, 64000000), "INT@0 x1000000/64");
}

Test(type_map, fortran_types_by_parameters)
{
    const uint64_t real = MADE(.combiner = MPILENS_COMBINER_F90_REAL, .size = 8, .extent = 8, INTEGERS(2, 15, 307));
    CHECK(make_contiguous(5, real, 40, 40), "MPI_Type_create_f90_real@0 x5/8");
}

Test(type_map, value_and_index)
{
    CHECK(MADE(.combiner = MPILENS_COMBINER_VALUE_INDEX, .size = 12, .extent = 12, TYPES(2, double_type, int_type)),
          "DOUBLE@0; INT@8");
}

Test(type_map, of_nothing)
{
    CHECK(make_contiguous(0, int_type, 0, 0), "");
}

Test(type_map, of_something_between_nothing)
{
    const uint64_t nothing = make_contiguous(0, int_type, 0, 0);
    CHECK(MADE(.combiner = MPILENS_COMBINER_STRUCT, .size = 4, .extent = 8, INTEGERS(4, 3, 1000000000, 1, 1),
               ADDRESSES(3, 0, 4, 8), TYPES(3, nothing, int_type, nothing)),
          "INT@4");
}

Test(type_map, before_it_is_begun_and_of_other_kinds)
{
    name_top(int_type);
    open_job();
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), MPILENS_ERROR_NO_CURRENT);
    find_object(MPILENS_OBJECT_COMMUNICATOR, 0x44000000);
    cr_assert_eq(mpilens_setup_type_map_iterator(opened.process), MPILENS_ERROR_NO_CURRENT);
    find_object(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_end_of_list);
    cr_assert_eq(mpilens_setup_type_map_iterator(opened.process), mqs_ok);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_ok);
    cr_assert_eq(entry.basic_size, 4);
    cr_assert_eq(entry.stride, 4);
    cr_assert_eq(mpilens_next_type_map_entry(opened.process, &entry), mqs_end_of_list);
}

Test(type_map, written_out_and_its_holes)
{
    struct mpilens_element_run runs[4];
    struct mpilens_type_hole holes[4];
    size_t count = 0;
    int is_cut = 7;
    name_top(MADE(MPILENS_COMBINER_VECTOR, 40, 192, {5, 2, 10}, 3, {0}, 0, {int_type}, 1));
    open_job();
    cr_expect_eq(mpilens_get_element_runs(opened.process, runs, 4, &count, &is_cut), MPILENS_ERROR_NO_CURRENT);
    cr_expect_eq(mpilens_get_type_holes(opened.process, holes, 4, &count, &is_cut), MPILENS_ERROR_NO_CURRENT);
    find_object(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_expect_eq(mpilens_get_element_runs(opened.process, NULL, 4, &count, &is_cut), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect_eq(mpilens_get_type_holes(opened.process, holes, 4, NULL, &is_cut), MPILENS_ERROR_BAD_ARGUMENT);
    cr_expect(count == 0 && is_cut == 7);
    cr_assert_eq(mpilens_get_element_runs(opened.process, runs, 4, &count, &is_cut), mqs_ok);
    cr_expect(count == 4 && is_cut == 1);
    cr_expect_str_eq(runs[3].basic, "INT");
    cr_expect(runs[3].displacement == 120 && runs[3].count == 2);
    cr_assert_eq(mpilens_get_type_holes(opened.process, holes, 4, &count, &is_cut), mqs_ok);
    cr_expect(count == 4 && is_cut == 1);
    cr_expect(holes[3].displacement == 128 && holes[3].bytes == 32);
}
