/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mistyped words.
 */
#include "verbs/verbs_internal.h"

#include <criterion/criterion.h>
#include <stddef.h>

Test(similar_word, finds_the_word_that_was_meant)
{
    static const char *const words[] = {"why", "show", "snapshot", NULL, "version", "tag-mismatch"};
    static const struct {
        const char *word;
        const char *similar;
    } cases[] = {{"wy", "why"},
                 {"wyh", "why"},
                 {"verison", "version"},
                 {"snap", "snapshot"},
                 {"tag-mismach", "tag-mismatch"},
                 {"xyz", NULL},
                 {"s", NULL},
                 {"showing-of-all-things", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *similar = similar_word(cases[i].word, words, sizeof words / sizeof *words);
        if (cases[i].similar == NULL)
            cr_expect_null(similar, "%s", cases[i].word);
        else
            cr_expect_str_eq(similar, cases[i].similar, "%s", cases[i].word);
    }
}
