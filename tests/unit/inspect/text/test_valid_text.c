/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts of the application, whatever bytes they have.
 */
#include "text/text.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_valid(const char *text, const char *expected)
{
    char *valid = valid_text(text);
    cr_expect_str_eq(valid, expected);
    free(valid);
}

Test(valid_text, what_is_no_character_is_replaced)
{
    expect_valid("", "");
    expect_valid("a\tb\n\x7f", "a b  ");
    expect_valid("\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80");
    expect_valid("\xff", "\xef\xbf\xbd");
    expect_valid("\xc3", "\xef\xbf\xbd");                                 /* cut off */
    expect_valid("\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");                 /* longer than needed */
    expect_valid("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* a surrogate */
    expect_valid("\xef\xbf\xbe", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* U+FFFE: none in XML */
    expect_valid("\xef\xbf\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    expect_valid("\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}
