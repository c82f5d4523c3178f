/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sets of ranks as text.
 */
#include "base/base.h"

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

static const char *kept_text(const char *set_text, const char *chosen_text)
{
    struct rank_set set = {0}, chosen = {0};
    cr_assert_eq(rank_set_parse(&set, set_text), 0);
    if (chosen_text != NULL)
        cr_assert_eq(rank_set_parse(&chosen, chosen_text), 0);
    struct rank_set kept = rank_set_keep_chosen(&set, &chosen);
    const char *text = format_rank_set(&kept);
    rank_set_clear(&kept);
    rank_set_clear(&chosen);
    rank_set_clear(&set);
    return text;
}

Test(rank_set, what_is_chosen_of_a_claim_of_all_ranks, .timeout = 10)
{
    const struct {
        const char *set, *chosen, *kept;
    } cases[] = {
        {"0-2147483647", NULL, "[0-2147483647]"}, {"0-2147483647", "3-2147483647", "[3-2147483647]"},
        {"5-2147483647", "0-9,8-20", "[5-20]"},   {"0-4,6-2147483647", "1-9:4,2147483647", "[1,9,2147483647]"},
        {"0-3,5-9", "2-6,4", "[2-3,5-6]"},        {"0-3", "7", "[]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *text = kept_text(cases[i].set, cases[i].chosen);
        cr_expect_str_eq(text, cases[i].kept, "%s of %s: %s", cases[i].chosen, cases[i].set, text);
    }
}
