/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait for ranks on a host that does not answer.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static void lose(struct job *job, int rank, const char *host, bool is_lost)
{
    struct process *process = &job->processes[rank];
    process_clear_contents(process);
    process->state = PROCESS_UNREADABLE;
    process->reason = copy_text("No route to host");
    process->host = copy_text(host);
    process->is_lost = is_lost;
}

/* Ranks 0 to 3 wait for 4 or 5, which are not read. */
static struct job make_job(bool is_lost)
{
    struct job job = new_judged_job(6);
    for (int rank = 0; rank < 4; rank++)
        receive_from(&job, rank, 4 + rank % 2, 7);
    lose(&job, 4, "n3", is_lost);
    lose(&job, 5, "n3", is_lost);
    return job;
}

Test(lost_hosts, are_named_with_who_waits_and_why)
{
    static const int culprits[] = {4, 5};
    struct job job = make_job(true);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_HOST_LOST, 2, culprits);
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_str_eq(finding->message,
                     "ranks [0-3] wait for ranks [4,5] on n3, which does not answer: No route to host");
    cr_expect(finding->confirmed);
    cr_expect_eq(finding->ranks.count, 6);
    cr_expect_gt(finding->evidence.count, 0);
    cr_expect_str_eq(finding_kind_name(finding->kind), "host-lost");
    end_judged_job(&job, &analysis);
}

Test(lost_hosts, ranks_that_are_only_unread_are_no_finding)
{
    struct job job = make_job(false);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_not_null(analysis.remark);
    cr_expect_not_null(strstr(analysis.remark, "could not be read (No route to host)"), "%s", analysis.remark);
    end_judged_job(&job, &analysis);
}

Test(lost_hosts, for_which_nobody_waits_are_no_finding)
{
    struct job job = new_judged_job(3);
    receive_from(&job, 0, 1, 7);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    lose(&job, 2, "n3", true);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

/* A deadlock that needs nothing of the lost host is told, too, behind it. */
Test(lost_hosts, come_before_what_else_is_wrong)
{
    struct job job = new_judged_job(5);
    receive_from(&job, 0, 1, 7);
    receive_from(&job, 1, 0, 7);
    receive_from(&job, 2, 3, 7);
    receive_from(&job, 4, 3, 7);
    lose(&job, 3, "n3", true);
    struct analysis analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 2);
    cr_expect_eq(analysis.findings.items[0].kind, FINDING_HOST_LOST);
    cr_expect_str_eq(analysis.findings.items[0].message,
                     "ranks [2,4] wait for rank 3 on n3, which does not answer: No route to host");
    cr_expect_eq(analysis.findings.items[1].kind, FINDING_DEADLOCK);
    end_judged_job(&job, &analysis);
}

Test(lost_hosts, each_host_is_a_finding)
{
    struct job job = new_judged_job(4);
    receive_from(&job, 0, 2, 7);
    receive_from(&job, 1, 3, 7);
    lose(&job, 2, "n3", true);
    lose(&job, 3, "n4", true);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 2);
    end_judged_job(&job, &analysis);
}

/* Those for which the same ranks wait, for the same reason, are told at once. */
Test(lost_hosts, that_are_alike_are_one_finding)
{
    static const int culprits[] = {1, 2, 3};
    struct job job = new_judged_job(5);
    receive_from(&job, 0, -1, 7);
    receive_from(&job, 4, -1, 7);
    lose(&job, 1, "n2", true);
    lose(&job, 2, "n3", true);
    lose(&job, 3, "n4", true);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_HOST_LOST, 3, culprits);
    cr_expect_str_eq(analysis.findings.items[0].message,
                     "ranks [0,4] wait for ranks [1-3] on n[2-4], which do not answer: No route to host");
    end_judged_job(&job, &analysis);
}
