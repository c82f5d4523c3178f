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
