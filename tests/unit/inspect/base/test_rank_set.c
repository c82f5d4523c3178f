/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of ranks as text.
 */
#include "base/rank_set.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(rank_set, shows_all_where_nobody_has_chosen)
{
    const struct rank_set set = {0};
    cr_expect(rank_is_chosen(&set, 0));
    cr_expect(rank_is_chosen(&set, -1));
}

Test(rank_set, ranks_and_ranges)
{
    struct rank_set set = {0};
    cr_assert_eq(rank_set_parse(&set, "0,4-7"), 0);
    const bool expected[] = {true, false, false, false, true, true, true, true, false};
    for (int rank = 0; rank < 9; rank++)
        cr_expect_eq(rank_is_chosen(&set, rank), expected[rank], "rank %d", rank);
    rank_set_clear(&set);
}

Test(rank_set, every_second_one)
{
    struct rank_set set = {0};
    cr_assert_eq(rank_set_parse(&set, "1-5:2"), 0);
    for (int rank = 0; rank < 8; rank++)
        cr_expect_eq(rank_is_chosen(&set, rank), rank % 2 == 1 && rank < 6, "rank %d", rank);
    rank_set_clear(&set);
}

Test(rank_set, what_is_no_list_of_ranks)
{
    static const char *const texts[] = {"", "x", "1,", ",1", "3-1", "1-", "-1", "1 2", "99999999999", "1-3:0", "1:2"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct rank_set set = {0};
        cr_expect_eq(rank_set_parse(&set, texts[i]), -1, "'%s'", texts[i]);
        rank_set_clear(&set);
    }
}

Test(rank_set, formatted)
{
    static const struct {
        int ranks[6];
        size_t count;
        const char *text;
    } cases[] = {{{3}, 1, "3"},
                 {{0, 1}, 2, "[0,1]"},
                 {{0, 1, 2, 3, 7}, 5, "[0-3,7]"},
                 {{1, 3, 5}, 3, "[1,3,5]"},
                 {{0, 2, 4, 6}, 4, "[0-6:2]"},
                 {{0, 1, 4, 8, 12, 16}, 6, "[0,1,4-16:4]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = format_ranks(cases[i].ranks, cases[i].count);
        cr_expect_str_eq(text, cases[i].text);
        free(text);
    }
}

Test(rank_set, of_many_ranges_the_first)
{
    int ranks[100];
    for (int i = 0; i < 100; i++)
        ranks[i] = i * i;
    char *text = format_ranks(ranks, 100);
    cr_expect_str_eq(text, "[0,1,4,9,16,25,36,49,64,81,100,121,+88 more]");
    free(text);
}
