/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of applications for people.
 */
#include "text/text.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void expect_escaped(const char *text, const char *expected)
{
    char *escaped = escaped_text(text);
    char *again = escaped_text(escaped);
    cr_expect_str_eq(escaped, expected);
    cr_expect_str_eq(again, expected, "escaped twice it is '%s'", again);
    free(again);
    free(escaped);
}

static void set_locale(const char *name)
{
    setenv("LC_ALL", name, 1);
    escaped_text_set_locale();
}

Test(escaped_text, characters_are_kept_and_controls_shown)
{
    set_locale("C.UTF-8");
    expect_escaped("", "");
    expect_escaped("Gitter-R\u00e4nder \u65e5\u672c \U0001f680", "Gitter-R\u00e4nder \u65e5\u672c \U0001f680");
    expect_escaped("\033[31mred\033[0m", "\\x1b[31mred\\x1b[0m");
    expect_escaped("a\nb\tc\rd\x7f", "a\\nb\\tc\\x0dd\\x7f");
    expect_escaped("a \\ b \\x1b", "a \\ b \\x1b");
}

Test(escaped_text, what_is_no_character_is_shown_as_bytes)
{
    set_locale("C.UTF-8");
    expect_escaped("\xff\xfe", "\\xff\\xfe");
    expect_escaped("caf\xc3", "caf\\xc3");             /* cut off */
    expect_escaped("\xc0\xaf", "\\xc0\\xaf");          /* longer than needed */
    expect_escaped("\xed\xa0\x80", "\\xed\\xa0\\x80"); /* a surrogate */
    expect_escaped("\xc2\x9b"
                   "31m",
                   "\\xc2\\x9b31m"); /* begins control sequences in eight bits */
    expect_escaped("\x9b"
                   "31m",
                   "\\x9b31m");
    expect_escaped("\xef\xbf\xbf", "\\xef\\xbf\\xbf"); /* U+FFFF */
    expect_escaped("\xef\xbf\xbd", "\xef\xbf\xbd");    /* U+FFFD is one */
}

Test(escaped_text, what_turns_or_breaks_lines_is_shown)
{
    set_locale("C.UTF-8");
    expect_escaped("a\u202eb", "a\\xe2\\x80\\xaeb");
    expect_escaped("\u2028\u2069\u061c", "\\xe2\\x80\\xa8\\xe2\\x81\\xa9\\xd8\\x9c");
    expect_escaped("\u2013\u2030", "\u2013\u2030");
}

Test(escaped_text, a_locale_without_unicode_gets_none)
{
    set_locale("C");
    expect_escaped("R\u00e4nder", "R\\xc3\\xa4nder");
    unsetenv("LC_ALL");
    unsetenv("LC_CTYPE");
    unsetenv("LANG");
    escaped_text_set_locale();
    expect_escaped("R\u00e4nder", "R\u00e4nder");
}

Test(escaped_text, a_line_is_one_line)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    print_line(stream, "rank %d: %s", 3, "a\nnothing wrong found\033]0;owned\a");
    print_colored_line(stream, "\033[1m", "%s", "\033[2J");
    fclose(stream);
    cr_expect_str_eq(text, "rank 3: a\\nnothing wrong found\\x1b]0;owned\\x07\n\033[1m\\x1b[2J\033[0m\n");
    free(text);
}
