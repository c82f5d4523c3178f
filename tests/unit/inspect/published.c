/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks a target about a process that runs target_program.c.
 */
#include "published.h"

#include "target/target.h"

#include <criterion/criterion.h>

void published_expect(struct target *target, pid_t pid, struct published *ret_published)
{
    uint64_t address = 0;
    cr_assert(target_find_symbol(target, "mpilens_test_published", &address));
    cr_assert_eq(target_read(target, address, ret_published, sizeof *ret_published), 0);
    cr_expect_str_eq(ret_published->text, "known content");
    cr_expect_not(target_find_symbol(target, "mpilens_no_such_symbol", &address));
    cr_expect_eq(target_pointer_bytes(target), 8);
    cr_expect_not(target_is_other_byte_order(target));
    cr_expect_eq(target_pid(target), pid);
    cr_expect_str_eq(target_executable(target), TARGET_PROGRAM);
    struct site_cache cache = {0};
    const struct site *site = site_find(&cache, target, ret_published->return_address);
    cr_assert_not_null(site);
    cr_expect_str_eq(site->module, TARGET_PROGRAM);
    cr_expect_str_eq(site->function, "main");
    cr_expect_str_eq(site->file, "target_program.c");
    cr_expect_eq(site->line, PUBLISH_LINE, "line %d", site->line);
    cr_expect_eq(site_find(&cache, target, ret_published->return_address), site, "the second time from the cache");
    cr_expect_null(site_find(&cache, target, 16));
    cr_expect_null(site_find(&cache, target, 0));
    site_cache_clear(&cache);
}
