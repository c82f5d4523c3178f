/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type maps of subarrays and distributed arrays: by hand, and element by element against the definition (MPI 4.1,
 * sections 5.1.3 and 5.1.4).
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

TestSuite(grids, .init = create, .fini = close_job);

enum { DIMENSIONS = 3 };

static uint64_t make_subarray(const int64_t *sizes, const int64_t *parts, const int64_t *starts, size_t count,
                              int64_t order)
{
    struct made_type made = {.combiner = MPILENS_COMBINER_SUBARRAY,
                             .size = 4,
                             .extent = 4,
                             .integers = {(int64_t)count},
                             .integer_count = (uint32_t)(3 * count + 2),
                             .datatypes = {int_type},
                             .datatype_count = 1};
    for (size_t i = 0; i < count; i++) {
        made.integers[1 + i] = sizes[i];
        made.integers[1 + count + i] = parts[i];
        made.integers[1 + 2 * count + i] = starts[i];
    }
    made.integers[1 + 3 * count] = order;
    return make_type(&made);
}

Test(grids, subarray_of_two_dimensions_is_one_entry)
{
    name_top(make_subarray((int64_t[]){100, 1000}, (int64_t[]){3, 20}, (int64_t[]){2, 10}, 2, MPILENS_ORDER_C));
    open_job();
    cr_assert_str_eq(map_of_top(9), "INT@8040 x20/4 x3/4000");
}

Test(grids, subarray_in_the_order_of_fortran)
{
    name_top(make_subarray((int64_t[]){100, 1000}, (int64_t[]){3, 20}, (int64_t[]){2, 10}, 2, MPILENS_ORDER_FORTRAN));
    open_job();
    cr_assert_str_eq(map_of_top(9), "INT@4008 x3/4 x20/400");
}

Test(grids, subarray_of_three_dimensions)
{
    name_top(make_subarray((int64_t[]){4, 5, 6}, (int64_t[]){2, 2, 3}, (int64_t[]){1, 3, 2}, 3, MPILENS_ORDER_C));
    open_job();
    cr_assert_str_eq(map_of_top(9), "INT@200 x3/4 x2/24; INT@320 x3/4 x2/24");
}

Test(grids, subarray_of_whole_rows)
{
    name_top(make_subarray((int64_t[]){10, 50000}, (int64_t[]){7, 50000}, (int64_t[]){1, 0}, 2, MPILENS_ORDER_C));
    open_job();
    cr_assert_str_eq(map_of_top(9), "INT@200000 x350000/4");
}

struct distribution {
    int64_t sizes[DIMENSIONS];
    int64_t kinds[DIMENSIONS]; /* enum mpilens_distribution */
    int64_t arguments[DIMENSIONS];
    int64_t processes[DIMENSIONS];
    bool is_fortran;
};

static uint64_t make_darray(const struct distribution *array, int64_t rank, int64_t processes)
{
    struct made_type made = {.combiner = MPILENS_COMBINER_DARRAY,
                             .size = 4,
                             .extent = 4,
                             .integers = {processes, rank, DIMENSIONS},
                             .integer_count = 3 + 4 * DIMENSIONS + 1,
                             .datatypes = {int_type},
                             .datatype_count = 1};
    for (size_t i = 0; i < DIMENSIONS; i++) {
        made.integers[3 + i] = array->sizes[i];
        made.integers[3 + DIMENSIONS + i] = array->kinds[i];
        made.integers[3 + 2 * DIMENSIONS + i] =
            array->arguments[i] == 0 ? MPILENS_DISTRIBUTE_DFLT_DARG : array->arguments[i];
        made.integers[3 + 3 * DIMENSIONS + i] = array->processes[i];
    }
    made.integers[3 + 4 * DIMENSIONS] = array->is_fortran ? MPILENS_ORDER_FORTRAN : MPILENS_ORDER_C;
    return make_type(&made);
}

/* Whether the process at `place` has this index. */
static bool has_index(const struct distribution *array, size_t dimension, int64_t place, int64_t index)
{
    int64_t length = array->arguments[dimension];
    if (array->kinds[dimension] == MPILENS_DISTRIBUTE_NONE)
        return true;
    if (length == 0)
        length = array->kinds[dimension] == MPILENS_DISTRIBUTE_CYCLIC
                     ? 1
                     : (array->sizes[dimension] + array->processes[dimension] - 1) / array->processes[dimension];
    return index / length % array->processes[dimension] == place;
}

/* Displacements in order, element by element. */
static size_t expected_map(const struct distribution *array, int64_t rank, int64_t *ret_displacements)
{
    const int64_t places[] = {rank / (array->processes[1] * array->processes[2]),
                              rank / array->processes[2] % array->processes[1], rank % array->processes[2]};
    const int64_t *sizes = array->sizes;
    size_t count = 0;
    for (int64_t element = 0; element < sizes[0] * sizes[1] * sizes[2]; element++) {
        int64_t indices[DIMENSIONS];
        if (array->is_fortran) {
            indices[0] = element % sizes[0];
            indices[1] = element / sizes[0] % sizes[1];
            indices[2] = element / sizes[0] / sizes[1];
        } else {
            indices[2] = element % sizes[2];
            indices[1] = element / sizes[2] % sizes[1];
            indices[0] = element / sizes[2] / sizes[1];
        }
        if (has_index(array, 0, places[0], indices[0]) && has_index(array, 1, places[1], indices[1]) &&
            has_index(array, 2, places[2], indices[2]))
            ret_displacements[count++] = element * 4;
    }
    return count;
}

static size_t given_map(int64_t *ret_displacements, size_t capacity)
{
    struct mpilens_type_map_entry entry = {.struct_size = sizeof entry};
    size_t count = 0;
    find_object(MPILENS_OBJECT_DATATYPE, TOP_HANDLE);
    cr_assert_eq(mpilens_setup_type_map_iterator(opened.process), mqs_ok);
    int code;
    while ((code = mpilens_next_type_map_entry(opened.process, &entry)) == mqs_ok)
        for (int64_t again = 0; again < entry.repeat; again++)
            for (int64_t i = 0; i < entry.count; i++) {
                cr_assert_lt(count, capacity);
                ret_displacements[count++] = entry.displacement + again * entry.repeat_stride + i * entry.stride;
            }
    cr_assert_eq(code, mqs_end_of_list, "%d", code);
    return count;
}

static void check_all_ranks(const struct distribution *array)
{
    enum { ELEMENTS = 4096 };
    static int64_t expected[ELEMENTS], given[ELEMENTS];
    const int64_t processes = array->processes[0] * array->processes[1] * array->processes[2];
    size_t all = 0;
    for (int64_t rank = 0; rank < processes; rank++) {
        const uint64_t record = make_darray(array, rank, processes);
        name_top(record);
        fake_target_publish(opened.job.target);
        copy_again();
        const size_t count = expected_map(array, rank, expected);
        cr_assert_eq(given_map(given, ELEMENTS), count, "rank %ld", (long)rank);
        cr_assert_arr_eq(given, expected, count * sizeof *given, "rank %ld", (long)rank);
        put_field(record, MPILENS_FIELD_datatype_state, 0);
        all += count;
    }
    cr_assert_eq(all, (size_t)(array->sizes[0] * array->sizes[1] * array->sizes[2]), "the test itself");
}

Test(grids, distributed_arrays)
{
    static const struct distribution arrays[] = {
        {{8, 6, 5}, {0, 0, 2}, {0, 0, 0}, {2, 3, 1}, false},  {{7, 5, 3}, {0, 1, 1}, {0, 0, 2}, {3, 2, 2}, false},
        {{11, 4, 9}, {1, 2, 1}, {3, 0, 2}, {2, 1, 3}, true},  {{5, 1, 13}, {0, 2, 1}, {2, 0, 4}, {3, 1, 2}, true},
        {{3, 2, 10}, {0, 0, 1}, {2, 2, 3}, {2, 1, 3}, false}, {{9, 9, 9}, {1, 1, 1}, {2, 4, 1}, {2, 2, 2}, false},
        {{2, 2, 2}, {0, 1, 2}, {0, 0, 0}, {4, 3, 1}, false},
    };
    open_job();
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        check_all_ranks(&arrays[i]);
}

Test(grids, that_cannot_be)
{
    static const struct {
        size_t argument;
        int64_t value;
    } lies[] = {
        {0, 0},         {0, 1},  {1, -1}, {1, 8}, {2, 0},  {2, 65}, {2, INT64_MAX}, {3, 0},  {3, -5},
        {3, INT64_MAX}, {6, 77}, {7, 2},  {9, 0}, {9, -2}, {12, 0}, {12, 1000},     {15, 5},
    };
    const struct distribution array = {{8, 6, INT64_MAX}, {1, 0, 2}, {1, 0, 0}, {2, 3, 1}, false};
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        const struct distribution good = {{8, 6, 5}, {1, 0, 2}, {1, 0, 0}, {2, 3, 1}, false};
        const uint64_t record = make_darray(&good, 1, 6);
        uint64_t arguments = 0;
        memcpy(&arguments,
               fake_target_bytes(opened.job.target,
                                 record + opened.job.target->fields[MPILENS_FIELD_datatype_arguments].offset, 8),
               8);
        fake_target_put_integer(opened.job.target, arguments + lies[i].argument * 8, 8, (uint64_t)lies[i].value);
        name_top(record);
        if (i == 0)
            open_job();
        fake_target_publish(opened.job.target);
        copy_again();
        cr_expect_str_eq(map_of_top(9), "!108", "%zu: %s", i, map_of_top(9));
        put_field(record, MPILENS_FIELD_datatype_state, 0);
    }
    name_top(make_darray(&array, 1, 6));
    fake_target_publish(opened.job.target);
    copy_again();
    cr_expect_str_eq(map_of_top(9), "!108", "more elements than can be counted");
}

Test(grids, subarrays_that_cannot_be)
{
    static const int64_t lies[][3] = {{10, 11, 0}, {10, 5, 6},         {10, 0, 0},        {10, 5, -1},
                                      {0, 0, 0},   {10, INT64_MAX, 3}, {10, 5, INT64_MAX}};
    open_job();
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        const uint64_t record = make_subarray(&lies[i][0], &lies[i][1], &lies[i][2], 1, MPILENS_ORDER_C);
        name_top(record);
        fake_target_publish(opened.job.target);
        copy_again();
        cr_expect_str_eq(map_of_top(9), "!108", "%zu", i);
        put_field(record, MPILENS_FIELD_datatype_state, 0);
    }
}
