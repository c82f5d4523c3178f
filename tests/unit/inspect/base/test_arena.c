/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/base.h"

#include <criterion/criterion.h>
#include <string.h>

Test(arena, nested_and_of_any_length)
{
    struct arena arena = {0};
    cr_expect_null(arena_use(&arena));
    const char *first = arena_text("%s and %s", arena_text("%d", 1), arena_copy("two"));
    for (int length = 1; length < 20000; length += 997) {
        const char *text = arena_text("%*d", length, 7);
        cr_expect_eq(strlen(text), (size_t)length);
        cr_expect_eq(text[length - 1], '7');
    }
    cr_expect_str_eq(first, "1 and two");
    cr_expect_str_eq(arena_take(format_text("%d", 3)), "3");
    cr_expect_null(arena_take(NULL));
    cr_expect_eq(arena_use(NULL), &arena);
    arena_clear(&arena);
    cr_expect_null(arena.last);
}

Test(arena, streams_within_streams)
{
    FILE *outer = arena_open();
    fputs("a", outer);
    FILE *inner = arena_open();
    fputs("b", inner);
    fputs("c", outer);
    const char *text = arena_close(outer);
    cr_expect_str_eq(arena_close(inner), "b");
    cr_expect_str_eq(text, "ac");
}

Test(arena, released_to_a_mark)
{
    const char *kept = arena_copy("kept");
    const struct arena_mark mark = arena_mark();
    const char *next = arena_copy("next");
    arena_text("%9000d", 1);
    arena_release(mark);
    cr_expect_eq(arena_copy("again"), next, "the place is used again");
    cr_expect_str_eq(kept, "kept");
}
