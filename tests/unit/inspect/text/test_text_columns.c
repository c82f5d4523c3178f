/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cells of characters.
 */
#include "text/text.h"

#include <criterion/criterion.h>

static void expect(const char *text, size_t columns)
{
    cr_expect_eq(text_columns(text), columns, "'%s' has %zu columns", text, text_columns(text));
}

Test(text_columns, one_or_two_or_none)
{
    expect("", 0);
    expect("MPI_Recv(<- 3)", 14);
    expect("\xc3\xa4\xd0\x96\xef\xbf\xbd", 3);     /* a Latin, a Cyrillic letter, and the replacement character */
    expect("\xe4\xb8\x96\xe7\x95\x8c", 4);         /* Chinese */
    expect("\xed\x95\x9c", 2);                     /* Korean */
    expect("\xef\xbc\xa1\xef\xbd\xb1", 3);         /* a fullwidth and a halfwidth letter */
    expect("\xf0\x9f\x9a\x80\xf0\xa0\x80\x80", 4); /* a picture, and a rare Chinese character */
    expect("e\xcc\x81\xe2\x80\x8b", 1);            /* an accent that joins, and a space of no width */
}
