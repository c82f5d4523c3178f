/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words and values of `mpilens handle`: kinds, values, type maps.
 */
#include "base/allocation.h"
#include "handle/handle_collect.h"
#include "handle/handle_datatype.h"
#include "handle/handle_describe.h"
#include "handle/handle_query.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(handle_words, kinds)
{
    uint32_t kind = 99;
    cr_expect(handle_parse_kind("comm", &kind) && kind == MPILENS_OBJECT_COMMUNICATOR);
    cr_expect(handle_parse_kind("win", &kind) && kind == MPILENS_OBJECT_WINDOW);
    cr_expect(handle_parse_kind("MPI_Type", &kind) == false);
    cr_expect(handle_parse_kind("status", &kind) && kind == MPILENS_OBJECT_STATUS);
    cr_expect_not(handle_parse_kind("", &kind));
    char *all = copy_text(handle_kind_names());
    for (char *name = strtok(all, ", "); name != NULL; name = strtok(NULL, ", "))
        cr_expect(handle_parse_kind(name, &kind), "%s", name);
    free(all);
}

Test(handle_words, values)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0x84000002", 0x84000002},         {"-2080374782", (uint64_t)-2080374782}, {"017", 17},
                {"0xFFFFFFFFFFFFFFFF", UINT64_MAX}, {"-9223372036854775808", 1ull << 63},   {"0", 0}};
    static const char *const bad[] = {
        "", "0x", "-", "12a", "0x1g", "+5", " 5", "18446744073709551616", "-9223372036854775809", "--5", "5 "};
    uint64_t value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(handle_parse_value(good[i].text, &value) && value == good[i].value, "%s", good[i].text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(handle_parse_value(bad[i], &value), "%s", bad[i]);
}

static struct mpilens_type_map_entry entry(int64_t displacement, int64_t count, int64_t stride, int64_t repeat,
                                           int64_t repeat_stride)
{
    return (struct mpilens_type_map_entry){.basic = "MPI_INT",
                                           .basic_size = 4,
                                           .displacement = displacement,
                                           .count = count,
                                           .stride = stride,
                                           .repeat = repeat,
                                           .repeat_stride = repeat_stride};
}

Test(handle_words, type_maps_are_written_out)
{
    struct mpilens_type_map_entry entries[] = {entry(0, 2, 4, 3, 16), entry(48, 2, 8, 1, 0)};
    const struct handle_type_map map = {.is_known = true, .entries = entries, .count = 2};
    struct handle_type_run runs[8];
    bool is_cut;
    size_t hole_count;
    cr_assert_eq(handle_expand_type_map(&map, runs, 8, &is_cut), 5);
    cr_expect_not(is_cut);
    cr_expect(runs[1].displacement == 16 && runs[1].count == 2 && runs[4].displacement == 56 && runs[4].count == 1);
    const struct handle_datatype datatype = {
        .has_contents = true, .information.size = 32, .contents = {.lower_bound = -4, .extent = 68}};
    struct handle_hole *holes = handle_find_holes(&datatype, runs, 5, &hole_count);
    static const int64_t expected[][2] = {{-4, 4}, {8, 8}, {24, 8}, {40, 8}, {52, 4}, {60, 4}};
    cr_assert_eq(hole_count, 6);
    for (size_t i = 0; i < 6; i++)
        cr_expect(holes[i].displacement == expected[i][0] && holes[i].bytes == expected[i][1], "hole %zu", i);
    free(holes);
    cr_expect_eq(handle_expand_type_map(&map, runs, 4, &is_cut), 4);
    cr_expect(is_cut);
}

Test(handle_words, type_maps_that_are_too_long_or_cannot_be)
{
    struct mpilens_type_map_entry entries[] = {entry(0, 1, 4, INT64_MAX, 4)};
    const struct handle_type_map map = {.is_known = true, .entries = entries, .count = 1};
    struct handle_type_run runs[8];
    bool is_cut;
    cr_expect_leq(handle_expand_type_map(&map, runs, 8, &is_cut), 8, "and it ends");
    entries[0] = entry(0, 1000000000, 4, 1000000000, 4000000000);
    cr_expect_eq(handle_expand_type_map(&map, runs, 8, &is_cut), 1, "one row of rows");
    cr_expect_not(is_cut);
    entries[0] = entry(INT64_MAX, INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN);
    cr_expect_leq(handle_expand_type_map(&map, runs, 8, &is_cut), 8);
    cr_expect(is_cut);
    entries[0] = entry(0, -1, 4, 1, 0);
    cr_expect_eq(handle_expand_type_map(&map, runs, 8, &is_cut), 0);
}
