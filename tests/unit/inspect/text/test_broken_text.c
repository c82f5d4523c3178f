/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breaking texts into lines.
 */
#include "text/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_broken(const char *text, size_t width, size_t indent, bool is_whole, const char *expected)
{
    char *broken = broken_text(text, width, indent, is_whole);
    cr_expect_str_eq(broken, expected, "'%s' is broken into '%s'", text, broken);
    free(broken);
}

Test(broken_text, between_words)
{
    expect_broken("one two three", 20, 0, false, "one two three");
    expect_broken("one two three", 13, 0, false, "one two three");
    expect_broken("one two three", 12, 0, false, "one two\nthree");
    expect_broken("  one two three", 9, 4, false, "  one two\n    three");
    expect_broken("a  b", 4, 0, false, "a  b");
    expect_broken("", 4, 0, false, "");
}

Test(broken_text, in_words_where_they_are_too_long)
{
    expect_broken("[0,2,4,6,8]", 6, 0, false, "[0,2,\n4,6,8]");
    expect_broken("abcdefgh", 3, 0, false, "abc\ndef\ngh");
    expect_broken("x abcdefgh", 3, 1, false, "x\n ab\n cd\n ef\n gh");
    expect_broken("\xe4\xb8\x96\xe7\x95\x8c", 3, 0, false, "\xe4\xb8\x96\n\xe7\x95\x8c"); /* two columns each */
}

Test(broken_text, not_in_places)
{
    expect_broken("at halo_exchange.c:1234 main", 6, 0, false, "at\nhalo_exchange.c:1234\nmain");
    expect_broken("(tag 1, halo_exchange.c:11)", 8, 0, false, "(tag 1,\nhalo_exchange.c:11)");
    expect_broken("libsomething.so: exchange", 8, 0, true, "libsomething.so:\nexchange");
    expect_broken("a::exchange", 8, 0, false, "a::\nexchange");
}

Test(broken_text, the_longest_word)
{
    cr_expect_eq(longest_word("one three", 100, false), 5);
    cr_expect_eq(longest_word("one three", 4, false), 4);
    cr_expect_eq(longest_word("one halo.c:11", 4, false), 9);
    cr_expect_eq(longest_word("wonderful day", 4, true), 9);
}
