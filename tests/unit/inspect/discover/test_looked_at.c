/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of what is not looked into again.
 */
#include "discover/discover.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct process_status process(pid_t pid, const char *name)
{
    struct process_status status = {.pid = pid, .parent = 7, .user = 77, .state = 'S'};
    snprintf(status.name, sizeof status.name, "%s", name);
    return status;
}

static void note(pid_t pid, const char *name, double now_s)
{
    const struct process_status status = process(pid, name);
    looked_at_note(&status, NULL, now_s);
}

/* As of no job. */
static bool has(const struct process_status *status, double now_s)
{
    struct found_rank rank;
    if (!looked_at_find(status, now_s, &rank))
        return false;
    return rank.pid == 0;
}

static bool has_named(pid_t pid, const char *name, double now_s)
{
    const struct process_status status = process(pid, name);
    return has(&status, now_s);
}

Test(looked_at, is_known_for_a_moment)
{
    for (pid_t pid = 3000; pid > 0; pid -= 3)
        note(pid, "sh", 100);
    for (pid_t pid = 1; pid <= 3000; pid++)
        cr_assert_eq(has_named(pid, "sh", 100.5), pid % 3 == 0, "%d", pid);
    cr_expect(!has_named(3000, "sh", 100 + LOOKED_AT_S), "it is forgotten");
    note(5, "sh", 102);
    cr_expect(has_named(5, "sh", 102.5));
    for (pid_t pid = 3000; pid > 0; pid--)
        note(pid, "sh", 103);
    cr_expect(has_named(2999, "sh", 103));
    looked_at_forget();
    cr_expect(!has_named(5, "sh", 102.5));
}

Test(looked_at, another_program_is_not)
{
    struct process_status status = process(8, "sh");
    note(8, "sh", 100);
    status.state = 'R';
    cr_expect(has(&status, 100));
    status.parent = 1;
    cr_expect(!has(&status, 100), "another process");
    status = process(8, "sh");
    status.user = 0;
    cr_expect(!has(&status, 100));
    cr_expect(!has_named(8, "app", 100), "it has called exec");
    note(8, "app", 100.1);
    cr_expect(has_named(8, "app", 100.2));
    cr_expect(!has_named(8, "sh", 100.2));
    looked_at_forget();
}

Test(looked_at, ranks_are_copied)
{
    char executable[] = "/home/u/app", world[] = "1.0";
    struct found_rank rank = {.pid = 9, .rank = 3, .size = 4, .executable = executable, .world = world};
    const struct process_status status = process(9, "app");
    struct found_rank recalled;
    looked_at_note(&status, &rank, 100);
    rank.rank = 2;
    looked_at_note(&status, &rank, 100);
    executable[0] = world[0] = 'x';
    cr_assert(looked_at_find(&status, 100, &recalled));
    cr_expect_eq(recalled.pid, 9);
    cr_expect_eq(recalled.rank, 2);
    cr_expect_str_eq(recalled.executable, "/home/u/app");
    cr_expect_str_eq(recalled.world, "1.0");
    looked_at_forget();
    cr_expect_str_eq(recalled.world, "1.0");
}

/* This process, for one, is of no job. */
Test(looked_at, discovery_notes_it)
{
    struct process_status own;
    cr_assert(read_process_status("/proc", getpid(), &own));
    discover_jobs("/proc", own.user + 1);
    cr_expect(!has(&own, 0), "that of another user was not looked at");
    bool is_noted = false;
    for (int i = 0; i < 20 && !is_noted; i++) { /* a look at all that takes longer than LOOKED_AT_S may forget it */
        discover_jobs("/proc", own.user);
        is_noted = has(&own, 0);
    }
    cr_expect(is_noted);
    looked_at_forget();
}
