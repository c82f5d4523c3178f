/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The ranks of --rank against the job's, and the part of a verdict about them.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "model_builder.h"
#include "verbs/verbs_internal.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>

static struct rank_set parse(const char *text)
{
    struct rank_set ranks = {.count = 0};
    cr_assert_eq(rank_set_parse(&ranks, text), 0, "%s", text);
    return ranks;
}

static void expect(const struct job *job, const char *text, const char *reason_text, bool has_any)
{
    struct rank_set ranks = parse(text);
    struct reason reason = {.text = ""};
    cr_expect_eq(check_shown_ranks(job, &ranks, &reason), reason_text[0] == '\0' ? 0 : -1, "%s", text);
    cr_expect_str_eq(reason.text, reason_text, "%s", text);
    cr_expect_eq(has_shown_rank(job, &ranks), has_any, "%s", text);
    rank_set_clear(&ranks);
}

Test(shown_ranks, must_all_be_of_the_job)
{
    struct job job = build_job(4);
    expect(&job, "0,1-3", "", true);
    expect(&job, "0-3:3", "", true);
    expect(&job, "4", "the job has no rank 4; it has 4 ranks", false);
    expect(&job, "0-4", "the job has no rank 4; it has 4 ranks", true);
    expect(&job, "1,99", "the job has no rank 99; it has 4 ranks", true);
    expect(&job, "0-2147483647:2", "the job has no rank 4; it has 4 ranks", true);
    expect(&job, "2147483647", "the job has no rank 2147483647; it has 4 ranks", false);
    const struct rank_set all = {.count = 0};
    struct reason reason;
    cr_expect_eq(check_shown_ranks(&job, &all, &reason), 0);
    cr_expect(has_shown_rank(&job, &all));
    job_clear(&job);
}

Test(shown_ranks, may_be_absent_from_this_host)
{
    struct job job = build_job(2);
    job.size = 4;
    rank_set_append(&job.absent, 2);
    job.absent_reason = copy_text("it does not run on this host");
    expect(&job, "2", "", true);
    expect(&job, "3", "rank 3 of the job is not among the processes that you named", false);
    job_clear(&job);
}

static struct finding *add_deadlock(struct findings *findings, int first, int second)
{
    struct finding *finding = findings_add(findings, FINDING_DEADLOCK);
    finding->message = "";
    for (int rank = first; rank <= second; rank++) {
        ranks_add(&finding->ranks, rank);
        ranks_add(&finding->culprits, rank);
        evidence_add_stack(&finding->evidence, rank, "in MPI_Recv", "a.c:1", evidence_place(NULL, NULL), 1);
    }
    evidence_add_stack(&finding->evidence, second, "has sent", "a.c:2", evidence_place(NULL, NULL), 1);
    evidence_add(&finding->evidence, -1, 0, "of no rank", evidence_place(NULL, NULL), 1);
    finding_finish(finding);
    return finding;
}

Test(shown_ranks, only_what_is_about_them_is_kept)
{
    struct findings findings = {0};
    add_deadlock(&findings, 0, 1);
    add_deadlock(&findings, 2, 4);
    struct rank_set ranks = parse("3");
    cr_assert_eq(findings_keep_ranks(&findings, &ranks), 1);
    cr_assert_eq(findings.count, 1);
    const struct finding *finding = findings.items;
    cr_expect_eq(finding->ranks.count, 3, "the others are part of what is wrong");
    cr_assert_eq(finding->evidence.count, 3, "what is shown is shown whole");
    cr_expect_eq(finding->evidence.items[0].ranks.count, 3);
    cr_expect_str_eq(finding->evidence.items[1].text, "has sent");
    rank_set_clear(&ranks);
    cr_assert_eq(findings_keep_ranks(&findings, &ranks), 0, "all ranks");
    cr_assert_eq(findings.count, 1);
}
