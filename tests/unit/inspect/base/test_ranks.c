/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(ranks, in_order_and_each_once)
{
    struct ranks ranks = {0}, others = {0};
    const int added[] = {7, 3, 3, -1, 9, 3, 7};
    for (size_t i = 0; i < sizeof added / sizeof *added; i++)
        ranks_add(&ranks, added[i]);
    ranks_finish(&ranks);
    cr_assert_eq(ranks.count, 3);
    cr_expect(ranks.items[0] == 3 && ranks.items[1] == 7 && ranks.items[2] == 9);
    cr_expect(ranks_has(&ranks, 7) && !ranks_has(&ranks, 8) && !ranks_has(&ranks, -1));
    ranks_add(&others, 8);
    ranks_add_all(&others, &ranks);
    ranks_finish(&others);
    const char *text = ranks_text(&others), *name = ranks_name(&others);
    cr_expect_str_eq(text, "[3,7-9]");
    cr_expect_str_eq(name, "ranks [3,7-9]");
}

Test(ranks, none_and_one)
{
    struct ranks ranks = {0};
    ranks_finish(&ranks);
    cr_expect_not(ranks_has(&ranks, 0));
    ranks_add(&ranks, 5);
    ranks_finish(&ranks);
    const char *name = ranks_name(&ranks);
    cr_expect_str_eq(name, "rank 5");
}

Test(ranks, formatted)
{
    static const struct {
        int items[6];
        size_t count;
        const char *text;
    } cases[] = {{{3}, 1, "3"},
                 {{0, 1}, 2, "[0,1]"},
                 {{0, 1, 2, 3, 7}, 5, "[0-3,7]"},
                 {{1, 3, 5}, 3, "[1,3,5]"},
                 {{0, 2, 4, 6}, 4, "[0-6:2]"},
                 {{0, 1, 4, 8, 12, 16}, 6, "[0,1,4-16:4]"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ranks ranks = {.count = 0};
        for (size_t j = 0; j < cases[i].count; j++)
            ranks_add(&ranks, cases[i].items[j]);
        const char *text = ranks_text(&ranks);
        cr_expect_str_eq(text, cases[i].text);
    }
}

Test(ranks, of_many_ranges_the_first)
{
    struct ranks ranks = {.count = 0};
    for (int i = 0; i < 100; i++)
        ranks_add(&ranks, i * i);
    const char *text = ranks_text(&ranks);
    cr_expect_str_eq(text, "[0,1,4,9,16,25,36,49,64,81,100,121,+88 more]");
}
