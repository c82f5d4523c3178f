/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs in which rank 1 passes on what rank 0 sends, and once with another tag.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { first_tag = 10, wanted_tag = 20 };

static struct job job;
static struct analysis analysis;

static void begin(void)
{
    job = new_judged_job(3);
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(passed_on, .init = begin, .fini = end);

static void receive_by(int rank, int source, int tag)
{
    struct operation *receive = build_receive(world_of(&job, rank), -1, -1, tag, BUILD_RETIRED);
    build_actual(world_of(&job, rank), receive, source, source, tag);
}

/* From rank 0 by rank 1 to rank 2, which receives it unless it is told to leave it. */
static void pass(int tag, int passed_tag, bool is_left)
{
    build_send(world_of(&job, 0), 1, 1, tag, BUILD_RETIRED);
    receive_by(1, 0, tag);
    build_send(world_of(&job, 1), 2, 2, passed_tag, BUILD_RETIRED);
    if (!is_left)
        receive_by(2, 1, passed_tag);
}

/* Each waits for the message of a step, from anybody. */
static void judge(void)
{
    for (int rank = 0; rank < 2; rank++)
        receive_from(&job, rank, -1, wanted_tag + 1);
    receive_from(&job, 2, -1, wanted_tag);
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
}

static bool is_told(void)
{
    return strstr(analysis.findings.items[0].message, "and passed it on with tag 21") != NULL;
}

Test(passed_on, with_another_tag_where_it_has_kept_it)
{
    for (int step = 0; step < 2; step++)
        pass(first_tag + step, first_tag + step, false);
    pass(wanted_tag, wanted_tag + 1, true);
    judge();
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 1, (int[]){1});
    cr_expect_not_null(strstr(analysis.findings.items[0].message,
                              "; rank 1 has received a message with tag 20 and passed it on with tag 21, by MPI_Isend, "
                              "where it has otherwise kept the tag (2 times)"),
                       "%s", analysis.findings.items[0].message);
}

/* It may have left out the message, and this one be its own. */
Test(passed_on, where_it_sends_its_own_messages_too)
{
    for (int step = 0; step < 2; step++)
        pass(first_tag + step, first_tag + step, false);
    for (int i = 0; i < 2; i++)
        build_send(world_of(&job, 1), 2, 2, first_tag + 2 + i, BUILD_RETIRED);
    for (int i = 0; i < 2; i++)
        receive_by(2, 1, first_tag + 2 + i);
    pass(wanted_tag, wanted_tag + 1, true);
    judge();
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 1, (int[]){1});
    cr_expect_not_null(strstr(analysis.findings.items[0].message,
                              "; rank 1 has received a message with tag 20 and sent the next one with tag 21, by "),
                       "%s", analysis.findings.items[0].message);
    cr_expect_str_eq(analysis.findings.items[0].remedy, "have rank 1 pass on what it has received, with that tag");
}

Test(passed_on, once_before_shows_no_habit)
{
    pass(first_tag, first_tag, false);
    pass(wanted_tag, wanted_tag + 1, true);
    judge();
    cr_expect_not(is_told());
}

Test(passed_on, with_tags_of_its_own_shows_no_habit)
{
    for (int step = 0; step < 3; step++)
        pass(first_tag + step, first_tag + step + (step == 1), false);
    pass(wanted_tag, wanted_tag + 1, true);
    judge();
    cr_expect_not(is_told());
}

Test(passed_on, of_the_next_step_it_has_the_right_tag)
{
    for (int step = 0; step < 3; step++)
        pass(first_tag + step, first_tag + step, false);
    pass(wanted_tag + 1, wanted_tag + 1, true);
    judge();
    cr_expect_not(is_told());
}

Test(passed_on, after_something_that_is_forgotten_it_may_be_another_message)
{
    for (int step = 0; step < 3; step++)
        pass(first_tag + step, first_tag + step, false);
    receive_by(1, 0, wanted_tag);
    build_send(world_of(&job, 0), 2, 2, first_tag, BUILD_RETIRED); /* takes the next number */
    build_send(world_of(&job, 1), 2, 2, wanted_tag + 1, BUILD_RETIRED);
    judge();
    cr_expect_not(is_told());
}

Test(passed_on, a_tag_that_never_changes_is_not_kept)
{
    for (int step = 0; step < 3; step++)
        pass(wanted_tag - 1, wanted_tag - 1, false);
    pass(wanted_tag, wanted_tag + 1, true);
    judge();
    cr_expect_not(is_told());
}

Test(passed_on, what_it_has_passed_on_it_may_follow_by_another_message)
{
    for (int step = 0; step < 3; step++)
        pass(first_tag + step, first_tag + step, false);
    pass(wanted_tag, wanted_tag, false);
    build_send(world_of(&job, 1), 2, 2, wanted_tag + 1, BUILD_RETIRED);
    judge();
    cr_expect_not(is_told());
}
