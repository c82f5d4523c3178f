/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of keys: exact as long as a key is used now and then, and of bounded memory however many keys there are.
 */
#include "objects/objects_internal.h"
#include "shadow.h"

#include <criterion/criterion.h>

static uint64_t newest_key = 1000;

static void count_others(int others)
{
    for (int i = 0; i < others; i++)
        cr_assert_eq(key_count(++newest_key), 1);
}

Test(key_count, is_exact_for_a_key_that_is_used_now_and_then)
{
    cr_assert_eq(key_count(7), 1);
    cr_assert_eq(key_count(7), 2);
    for (uint64_t calls = 3; calls < 10; calls++) {
        count_others(KEY_COUNTS_KEPT / 2);
        cr_assert_eq(key_count(7), calls);
    }
    count_others(KEY_COUNTS_KEPT - 1);
    cr_assert_eq(key_count(7), 10);
}

Test(key_count, takes_no_more_memory_for_more_keys)
{
    count_others(2 * KEY_COUNTS_KEPT);
    cr_assert_eq(key_count(newest_key), 2);
    const uint64_t bytes = mpilens_process.memory_bytes;
    cr_assert_leq(bytes, 32 << 20);
    count_others(2 * KEY_COUNTS_KEPT);
    cr_assert_leq(mpilens_process.memory_bytes, bytes);
    cr_assert_eq(key_count(newest_key), 2);
}
