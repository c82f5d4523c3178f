/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For how long a job has stood still on all its hosts, by what each of them says of its own ranks.
 */
#include "monitor/monitor_internal.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void take_ranks(struct host_marks *marks, enum host_message_kind kind, const char *host, double at_s,
                       double quiet_s, size_t ranks)
{
    struct host_message message = {.kind = kind, .at_s = at_s, .quiet_s = quiet_s, .ranks = ranks, .text = "no route"};
    snprintf(message.host, sizeof message.host, "%s", host);
    host_marks_take(marks, &message);
}

static void take(struct host_marks *marks, enum host_message_kind kind, const char *host, double at_s, double quiet_s)
{
    take_ranks(marks, kind, host, at_s, quiet_s, kind == HOST_MARK ? 2 : 0);
}

static struct host_marks ask(void)
{
    struct host_marks marks = {.count = 0};
    take(&marks, HOST_ASKED, "n2", 0, 0);
    take(&marks, HOST_ASKED, "n3", 0, 0);
    take(&marks, HOST_ALL_NAMED, "", 0, 0);
    return marks;
}

static double quiet_time(const struct host_marks *marks)
{
    struct quiet_span span = {.since_s = 100, .until_s = 200}; /* of this host */
    host_marks_narrow(marks, &span);
    return span.until_s - span.since_s;
}

Test(host_marks, all_hosts_must_have_been_still_at_once)
{
    struct host_marks marks = ask();
    take(&marks, HOST_MARK, "n2", 195, 60);
    take(&marks, HOST_MARK, "n3", 199, 500);
    cr_expect_eq(quiet_time(&marks), 195 - 135);
    take(&marks, HOST_MARK, "n3", 199, 0);
    cr_expect_leq(quiet_time(&marks), 0, "n3 goes on");
    host_marks_clear(&marks);
}

Test(host_marks, nothing_is_known_before_every_host_has_answered)
{
    struct host_marks marks = {.count = 0};
    cr_expect(host_marks_is_waiting(&marks));
    host_marks_clear(&marks);
    marks = ask();
    cr_expect(host_marks_is_waiting(&marks));
    take(&marks, HOST_MARK, "n2", 10, 0);
    cr_expect(host_marks_is_waiting(&marks));
    take(&marks, HOST_LOST, "n3", 11, 0);
    cr_expect_not(host_marks_is_waiting(&marks));
    cr_expect(host_marks_has_lost(&marks));
    cr_expect_eq(host_marks_count_ranks(&marks), 2);
    cr_expect_str_eq(marks.items[1].reason, "no route");
    host_marks_clear(&marks);
}

Test(host_marks, a_lost_host_gets_a_whole_timeout_from_what_it_said_last)
{
    struct host_marks marks = ask();
    take(&marks, HOST_MARK, "n2", 199, 150);
    take(&marks, HOST_MARK, "n3", 150, 0);
    take(&marks, HOST_LOST, "n3", 170, 0);
    cr_expect_eq(quiet_time(&marks), 199 - 150);
    take(&marks, HOST_MARK, "n3", 200, 5);
    cr_expect_not(host_marks_has_lost(&marks), "it is there again");
    cr_expect_eq(quiet_time(&marks), 199 - 195);
    host_marks_clear(&marks);
}

Test(host_marks, a_host_that_never_answered_does_not_count)
{
    struct host_marks marks = ask();
    take(&marks, HOST_MARK, "n2", 200, 150);
    take(&marks, HOST_LOST, "n3", 170, 0);
    cr_expect_eq(quiet_time(&marks), 100);
    host_marks_clear(&marks);
}

Test(host_marks, ranks_that_cannot_be_read_for_once_get_a_whole_timeout)
{
    struct host_marks marks = ask();
    take(&marks, HOST_MARK, "n2", 199, 150);
    take(&marks, HOST_MARK, "n3", 150, 0);
    take_ranks(&marks, HOST_MARK, "n3", 160, 0, 0);
    cr_expect_eq(quiet_time(&marks), 199 - 160);
    take_ranks(&marks, HOST_MARK, "n3", 170, 0, 0);
    cr_expect_eq(quiet_time(&marks), 199 - 160);
    take(&marks, HOST_MARK, "n3", 180, 0);
    cr_expect_eq(quiet_time(&marks), 0);
    host_marks_clear(&marks);
}

Test(host_marks, ranks_that_end_are_progress)
{
    struct host_marks marks = ask();
    take(&marks, HOST_MARK, "n2", 150, 50);
    take(&marks, HOST_MARK, "n3", 200, 150);
    take(&marks, HOST_OVER, "n2", 160, 0);
    cr_expect_eq(quiet_time(&marks), 200 - 160);
    cr_expect_not(host_marks_is_over(&marks));
    take(&marks, HOST_OVER, "n3", 170, 0);
    cr_expect(host_marks_is_over(&marks));
    cr_expect_eq(host_marks_count_ranks(&marks), 0);
    host_marks_clear(&marks);
}
