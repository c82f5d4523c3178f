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

Test(arena, joined_by_another)
{
    struct arena first = {0}, second = {0};
    size_t count = 0;
    arena_use(&first);
    const char *before = arena_copy("before");
    arena_use(&second);
    const char *texts[] = {arena_copy("second"), arena_text("%9000d", 1)};
    int *numbers = arena_append(NULL, &count, sizeof *numbers);
    arena_use(&first);
    const struct arena_mark mark = arena_mark();
    arena_join(&second);
    arena_join(&second); /* which is empty now */
    cr_expect_null(second.last);
    cr_expect_str_eq(before, "before");
    cr_expect_str_eq(texts[0], "second");
    cr_expect_eq(strlen(texts[1]), 9000);
    cr_expect_eq(numbers[0], 0);
    arena_release(mark);
    cr_expect_eq((const void *)first.last, (const void *)mark.block, "what has joined ends as the rest does");
    cr_expect_str_eq(before, "before");
    arena_use(NULL);
    arena_clear(&first);
}

Test(arena, arrays_grow_where_they_were_begun)
{
    enum { COUNT = 10000 };
    struct arena first = {0}, second = {0};
    size_t count = 0, kept = 0, begun_count = 0;
    arena_use(&first);
    size_t *numbers = arena_append(NULL, &count, sizeof *numbers);
    const struct arena_mark mark = arena_mark();
    arena_append(NULL, &begun_count, sizeof(int)); /* ends with the mark, at the same place of the block */
    for (size_t i = 1; i < COUNT; i++) {
        numbers = arena_append(numbers, &count, sizeof *numbers);
        cr_assert_eq(numbers[i], 0);
        numbers[i] = i;
    }
    arena_release(mark);
    arena_use(&second);
    numbers = arena_extend(numbers, &count, COUNT, sizeof *numbers);
    arena_use(NULL);
    arena_clear(&second);
    for (size_t i = 0; i < COUNT; i++)
        kept += numbers[i] == i && numbers[COUNT + i] == 0;
    cr_expect_eq(kept, COUNT);
    arena_drop(numbers);
    arena_drop(NULL);
    arena_clear(&first);
}

static int compare_numbers(const void *left, const void *right)
{
    return *(const int *)left < *(const int *)right ? -1 : *(const int *)left > *(const int *)right;
}

Test(arena, trees)
{
    enum { COUNT = 3000 };
    struct arena_node *tree = NULL;
    int numbers[COUNT], again[COUNT];
    cr_expect_null(arena_find(&(int){0}, tree, compare_numbers));
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = again[i] = i % 2 == 0 ? i : COUNT - i;
        cr_assert_eq(arena_search(&numbers[i], &tree, compare_numbers), &numbers[i]);
    }
    for (int i = 0; i < COUNT; i++) {
        cr_assert_eq(arena_search(&again[i], &tree, compare_numbers), &numbers[i]);
        cr_assert_eq(arena_find(&again[i], tree, compare_numbers), &numbers[i]);
    }
    cr_expect_null(arena_find(&(int){COUNT + 1}, tree, compare_numbers));
}
