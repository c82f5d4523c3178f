/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of memory.
 */
#include "memory/memory.h"
#include "shadow.h"

#include <criterion/criterion.h>

#include <string.h>

Test(block, has_at_least_what_was_asked_for_and_nobody_elses)
{
    enum { COUNT = 400 };
    unsigned char *blocks[COUNT];
    for (int i = 0; i < COUNT; i++) {
        size_t bytes = (size_t)i * 13 + 1;
        blocks[i] = block_take(bytes);
        cr_assert_not_null(blocks[i]);
        cr_assert_eq((uintptr_t)blocks[i] % sizeof(uint64_t), 0);
        cr_assert_geq(block_room(bytes), bytes);
        memset(blocks[i], i & 0xff, block_room(bytes));
    }
    for (int i = 0; i < COUNT; i++) {
        size_t bytes = (size_t)i * 13 + 1;
        cr_assert_eq(blocks[i][0], i & 0xff);
        cr_assert_eq(blocks[i][block_room(bytes) - 1], i & 0xff);
        block_give_back(blocks[i], bytes);
    }
}

Test(block, that_was_given_back_is_used_again)
{
    for (int i = 0; i < 100000; i++) {
        void *small = block_take(40);
        void *large = block_take(5000);
        block_give_back(small, 40);
        block_give_back(large, 5000);
    }
    cr_assert_eq(mpilens_process.memory_bytes, 1 << 16, "one mapping that is cut; the large ones are gone");
    block_give_back(NULL, 40);
}

Test(block, small_ones_share_pages)
{
    for (int i = 0; i < 30000; i++)
        cr_assert_not_null(block_take(24));
    cr_assert_lt(mpilens_process.memory_bytes, 1 << 20);
}

Test(block, is_none_where_the_limit_says_so)
{
    mpilens_process.memory_limit = 1;
    cr_assert_null(block_take(40));
    cr_assert_null(block_take(5000));
    mpilens_process.memory_limit = 0;
    cr_assert_not_null(block_take(40));
    cr_assert_eq(block_room(0), 0);
}
