/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory that the DLL gets for the copy of one process.
 */
#include "child.h"
#include "collect/collect_internal.h"
#include "target/target.h"

#include <criterion/criterion.h>
#include <stdint.h>

enum { MEGABYTE = 1 << 20 };

Test(memory_budget, beyond_it_the_dll_gets_nothing)
{
    const mqs_basic_callbacks *callbacks = &debugger_basic_callbacks;
    debugger_set_budget(4 * MEGABYTE);
    void *first = callbacks->mqs_malloc_fp(3 * MEGABYTE);
    cr_assert_not_null(first);
    cr_expect_not(debugger_exceeded_budget());
    cr_expect_null(callbacks->mqs_malloc_fp(2 * MEGABYTE));
    cr_expect(debugger_exceeded_budget());
    cr_expect_geq(debugger_used_of_budget(), 3 * MEGABYTE);
    cr_expect_lt(debugger_used_of_budget(), 4 * MEGABYTE);
    callbacks->mqs_free_fp(first);
    first = callbacks->mqs_malloc_fp(3 * MEGABYTE);
    cr_expect_not_null(first, "what it has given back it gets again");
    debugger_set_budget(4 * MEGABYTE);
    cr_expect_not(debugger_exceeded_budget());
    void *second = callbacks->mqs_malloc_fp(3 * MEGABYTE);
    cr_expect_not_null(second, "the next process");
    debugger_set_budget(SIZE_MAX);
    callbacks->mqs_free_fp(first);
    callbacks->mqs_free_fp(second);
}

Test(memory_budget, follows_what_a_process_really_has)
{
    struct child child = child_start(TARGET_PROGRAM);
    struct target *target;
    struct reason reason;
    cr_assert_eq(target_open_process(child.pid, &target, &reason), 0);
    const size_t budget = memory_budget(target);
    cr_expect_gt(budget, 0);
    cr_expect_lt(budget, (size_t)256 * MEGABYTE);
    target_close(target);
    child_end(&child);
}
