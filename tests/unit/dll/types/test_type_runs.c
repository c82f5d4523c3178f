/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Type maps written out, and holes.
 */
#include "target/target.h"
#include "types/types.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void use_memory(void)
{
    static const struct allocator ours = {malloc, free};
    allocator_exchange(&ours);
}

TestSuite(type_runs, .init = use_memory);

static const struct mpilens_datatype int_type = {.size = 4, .extent = 4};

static struct type_run int_run(int64_t displacement, int64_t count, int64_t stride, int64_t repeat,
                               int64_t repeat_stride)
{
    return (struct type_run){.basic = &int_type,
                             .displacement = displacement,
                             .count = count,
                             .stride = stride,
                             .repeat = repeat,
                             .repeat_stride = repeat_stride};
}

Test(type_runs, are_joined_and_leave_holes)
{
    const struct type_run written[] = {int_run(0, 2, 4, 3, 16), int_run(48, 2, 8, 1, 0), int_run(60, 1, 4, 1, 0)};
    const struct mpilens_datatype datatype = {.size = 36, .lower_bound = -4, .extent = 72};
    static const int64_t expected[][2] = {{-4, 4}, {8, 8}, {24, 8}, {40, 8}, {52, 4}, {64, 4}};
    struct element_run runs[8];
    struct mpilens_type_hole holes[9];
    size_t count = 0, hole_count = 0;
    for (size_t i = 0; i < 3; i++)
        cr_assert(element_runs_add(runs, &count, 8, &written[i]));
    cr_assert_eq(count, 5);
    cr_expect(runs[1].displacement == 16 && runs[1].count == 2);
    cr_expect(runs[4].displacement == 56 && runs[4].count == 2, "one row with the third");
    cr_assert_eq(type_holes_find(&datatype, runs, count, holes, &hole_count), mqs_ok);
    cr_assert_eq(hole_count, 6);
    for (size_t i = 0; i < 6; i++)
        cr_expect(holes[i].displacement == expected[i][0] && holes[i].bytes == expected[i][1], "hole %zu", i);
    count = 0;
    cr_expect_not(element_runs_add(runs, &count, 2, &written[0]));
    cr_expect_eq(count, 2);
}

/* Whether all of it was added. */
static bool fits(struct type_run run, size_t *ret_count)
{
    struct element_run runs[8];
    *ret_count = 0;
    return element_runs_add(runs, ret_count, 8, &run);
}

Test(type_runs, that_are_too_long_or_cannot_be)
{
    size_t count;
    cr_expect_not(fits(int_run(0, 1, 4, INT64_MAX, 4), &count));
    cr_expect_leq(count, 8, "and it ends");
    cr_expect(fits(int_run(0, 1000000000, 4, 1000000000, 4000000000), &count));
    cr_expect_eq(count, 1, "one row of rows");
    cr_expect_not(fits(int_run(INT64_MAX, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN), &count));
    cr_expect_leq(count, 8);
    cr_expect(fits(int_run(0, -1, 4, 1, 0), &count));
    cr_expect_eq(count, 0);
}
