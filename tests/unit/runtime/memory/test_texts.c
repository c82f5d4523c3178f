/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of texts.
 */
#include "memory/memory.h"
#include "shadow.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <string.h>

/* `expected` ends with a NUL more than the list, as string literals do. */
#define CHECK_TEXTS(texts, expected)                                                                                   \
    do {                                                                                                               \
        cr_assert_eq((texts)->bytes, sizeof(expected) - 1);                                                            \
        cr_assert_arr_eq((const char *)(uintptr_t)(texts)->address, expected, sizeof(expected) - 1);                   \
        cr_assert(texts_are_complete(texts));                                                                          \
    } while (0)

Test(texts, stand_in_a_row)
{
    struct mpilens_texts texts = {0};
    cr_assert(texts_are_complete(&texts));
    texts_append(&texts, "one");
    texts_append(&texts, "");
    texts_append(&texts, "three");
    CHECK_TEXTS(&texts, "one\0\0three\0");
    cr_assert_eq(texts.count, 3);
    texts_give_back(&texts);
    cr_assert_eq(texts.address, 0);
    cr_assert_eq(texts.bytes + texts.count, 0);
    texts_give_back(&texts);
}

Test(texts, pairs_have_one_value_for_each_key)
{
    struct mpilens_texts texts = {0};
    texts_set_pair(&texts, "a", "1");
    texts_set_pair(&texts, "b", "a"); /* a value that is like a key */
    texts_set_pair(&texts, "c", "");
    texts_set_pair(&texts, "a", "a longer value than before");
    CHECK_TEXTS(&texts, "b\0a\0c\0\0a\0a longer value than before\0");
    cr_assert_eq(texts.count, 6);
    texts_set_pair(&texts, "a", "2");
    CHECK_TEXTS(&texts, "b\0a\0c\0\0a\0"
                        "2\0");
    texts_remove_pair(&texts, "c");
    CHECK_TEXTS(&texts, "b\0a\0a\0"
                        "2\0");
    cr_assert_eq(texts.count, 4);
    texts_remove_pair(&texts, "b");
    texts_remove_pair(&texts, "a");
    cr_assert_eq(texts.count + texts.bytes, 0);
    texts_give_back(&texts);
}

Test(texts, pairs_of_another_list_come_on_top)
{
    struct mpilens_texts texts = {0}, more = {0};
    texts_set_pair(&texts, "a", "1");
    texts_set_pair(&texts, "b", "2");
    texts_set_pair(&more, "a", "3");
    texts_set_pair(&more, "c", "4");
    texts_set_pairs(&texts, &more);
    CHECK_TEXTS(&texts, "b\0"
                        "2\0a\0"
                        "3\0c\0"
                        "4\0");
    cr_assert_neq(texts.address, more.address);
    texts_give_back(&texts);
    texts_set_pairs(&texts, &more);
    CHECK_TEXTS(&texts, "a\0"
                        "3\0c\0"
                        "4\0");
    more.count += 10; /* that are not kept */
    texts_set_pairs(&texts, &more);
    cr_assert_eq(texts.count, 14);
    texts_give_back(&texts);
    texts_give_back(&more);
}

Test(texts, of_which_there_are_many_are_counted_and_not_all_kept)
{
    enum { PAIRS = 10000 };
    struct mpilens_texts texts = {0};
    char key[16];
    for (int i = 0; i < PAIRS; i++) {
        snprintf(key, sizeof key, "key %d", i);
        texts_set_pair(&texts, key, "value");
    }
    cr_assert_eq(texts.count, 2 * PAIRS);
    cr_assert_leq(texts.bytes, TEXTS_BYTES_KEPT);
    cr_assert_gt(texts.bytes, TEXTS_BYTES_KEPT - 32);
    cr_assert_not(texts_are_complete(&texts));
    for (int i = PAIRS; i-- > 0;) {
        snprintf(key, sizeof key, "key %d", i);
        texts_remove_pair(&texts, key);
    }
    cr_assert_eq(texts.count, 0);
    cr_assert_eq(texts.bytes, 0);
    texts_give_back(&texts);
    cr_assert_leq(mpilens_process.memory_bytes, 1 << 16, "what is large is given back");
}

Test(texts, for_which_there_is_no_memory_are_counted)
{
    struct mpilens_texts texts = {0};
    mpilens_process.memory_limit = 1;
    texts_set_pair(&texts, "a", "1");
    texts_append(&texts, "b");
    cr_assert_eq(texts.count, 3);
    cr_assert_eq(texts.bytes, 0);
    cr_assert_not(texts_are_complete(&texts));
    mpilens_process.memory_limit = 0;
}
