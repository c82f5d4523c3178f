/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names of core files.
 */
#include "base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

Test(core_files, the_pid_is_known_and_all_else_may_be_anything)
{
    static const struct {
        const char *pattern, *glob;
        bool adds_pid;
    } cases[] = {{"core", "core", false},        {"core", "core.4711", true},
                 {"core.%p", "core.4711", true}, {"/var/cores/%h/core-%e.%p.%t", "/var/cores/*/core-*.4711.*", false},
                 {"100%%-%E%", "100%-*", false}, {"a*b[c]?\\", "a\\*b\\[c]\\?\\\\", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *glob = core_pattern_glob(cases[i].pattern, cases[i].adds_pid, 4711);
        cr_expect_str_eq(glob, cases[i].glob);
        free(glob);
    }
}

Test(core_files, the_limit_is_raised_as_far_as_it_may_be)
{
    struct rlimit limit = {.rlim_cur = 0, .rlim_max = 1 << 20};
    cr_assert_eq(setrlimit(RLIMIT_CORE, &limit), 0);
    setenv("MPILENS_CORE", "none", 1);
    core_limit_raise();
    getrlimit(RLIMIT_CORE, &limit);
    cr_expect_eq(limit.rlim_cur, 0);
    unsetenv("MPILENS_CORE");
    core_limit_raise();
    getrlimit(RLIMIT_CORE, &limit);
    cr_expect_eq(limit.rlim_cur, 1 << 20);
    cr_expect_eq(limit.rlim_max, 1 << 20);
    limit = (struct rlimit){.rlim_cur = 0, .rlim_max = 0};
    cr_assert_eq(setrlimit(RLIMIT_CORE, &limit), 0);
    core_limit_raise();
    getrlimit(RLIMIT_CORE, &limit);
    cr_expect_eq(limit.rlim_max, 0);
    char *why = core_file_explain("/", false);
    cr_expect(strstr(why, "the hard limit is 0") == why, "%s", why);
    free(why);
}
