/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of what is not looked into again.
 */
#include "discover/discovery.h"
#include "discover/found_jobs.h"
#include "discover/passed_over.h"

#include "base/monotonic_clock.h"

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
    passed_over_note(&status, now_s);
}

static bool has(pid_t pid, const char *name, double now_s)
{
    const struct process_status status = process(pid, name);
    return passed_over_has(&status, now_s);
}

Test(passed_over, is_known_for_a_moment)
{
    for (pid_t pid = 3000; pid > 0; pid -= 3)
        note(pid, "sh", 100);
    for (pid_t pid = 1; pid <= 3000; pid++)
        cr_assert_eq(has(pid, "sh", 100.5), pid % 3 == 0, "%d", pid);
    cr_expect(!has(3000, "sh", 100 + PASSED_OVER_S), "all are forgotten");
    note(5, "sh", 102);
    cr_expect(has(5, "sh", 102.5));
    passed_over_forget();
    cr_expect(!has(5, "sh", 102.5));
}

Test(passed_over, another_program_is_not)
{
    struct process_status status = process(8, "sh");
    note(8, "sh", 100);
    status.state = 'R';
    cr_expect(passed_over_has(&status, 100));
    status.parent = 1;
    cr_expect(!passed_over_has(&status, 100), "another process");
    status = process(8, "sh");
    status.user = 0;
    cr_expect(!passed_over_has(&status, 100));
    cr_expect(!has(8, "app", 100), "it has called exec");
    note(8, "app", 100.1);
    cr_expect(has(8, "app", 100.2));
    cr_expect(!has(8, "sh", 100.2));
}

/* This process, for one, is of no job. */
Test(passed_over, discovery_notes_it)
{
    struct process_status own;
    const double begin_s = monotonic_s();
    cr_assert(read_process_status("/proc", getpid(), &own));
    struct found_jobs jobs = discover_jobs("/proc", own.user + 1);
    cr_expect(!passed_over_has(&own, begin_s), "that of another user was not looked at");
    found_jobs_clear(&jobs);
    jobs = discover_jobs("/proc", own.user);
    cr_expect(passed_over_has(&own, begin_s));
    found_jobs_clear(&jobs);
}
