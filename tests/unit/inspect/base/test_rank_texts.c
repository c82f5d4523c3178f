/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts and the ranks of which they are said.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(rank_texts, equal_texts_are_one_in_the_order_of_the_first)
{
    struct rank_texts texts = {.count = 0};
    cr_expect_eq(rank_texts_add_rank(&texts, "b", 0), 0);
    cr_expect_eq(rank_texts_add_rank(&texts, "a", 1), 1);
    cr_expect_eq(rank_texts_add_rank(&texts, "b", 2), 0);
    cr_expect_eq(rank_texts_add_rank(&texts, "b", 2), 0, "once for each rank");
    cr_assert_eq(texts.count, 2);
    cr_expect_str_eq(texts.items[0]->text, "b");
    cr_assert_eq(texts.items[0]->ranks.count, 2);
    cr_expect_eq(texts.items[0]->ranks.items[1], 2);
    cr_expect_eq(texts.items[1]->ranks.count, 1);
}

Test(rank_texts, what_was_not_added_is_not_found)
{
    struct rank_texts texts = {.count = 0};
    cr_expect_eq(rank_texts_find(&texts, "a"), 0);
    rank_texts_add(&texts, "a");
    cr_expect_eq(rank_texts_find(&texts, "a"), 0);
    cr_expect_eq(rank_texts_find(&texts, "b"), 1);
    cr_expect_eq(texts.items[0]->ranks.count, 0);
}

Test(rank_texts, apart)
{
    struct rank_texts texts = {.apart = true};
    cr_expect_eq(rank_texts_add_rank(&texts, "a", 0), 0);
    cr_expect_eq(rank_texts_add_rank(&texts, "a", 1), 1);
}

Test(rank_texts, joined_parts)
{
    const char *const parts[][2] = {{"a", "bc"}, {"ab", "c"}, {"1:a", ""}, {NULL, "a"}, {"", "a"}};
    enum { COUNT = sizeof parts / sizeof *parts };
    struct rank_texts texts = {.count = 0};
    for (size_t i = 0; i < 2 * COUNT; i++)
        cr_expect_eq(rank_texts_add_parts(&texts, parts[i % COUNT], 2), i % COUNT);
}
