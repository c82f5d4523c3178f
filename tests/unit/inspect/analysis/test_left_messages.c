/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs in which a rank has come to MPI_Finalize before it received all that its MPI had.
 */
#include "judged_job.h"
#include "model_builder.h"
#include "mpilens/layout.h"

#include <criterion/criterion.h>
#include <string.h>

static const char text[] = "without having received";

/* Rank 1 is in MPI_Finalize, and its MPI has had `count` messages of rank 0. */
static struct job leave_messages(int count)
{
    struct job job = new_judged_job(2);
    job.processes[1].state = PROCESS_FINALIZING;
    job.processes[1].unexpected_mode = MPILENS_UNEXPECTED_EXACT;
    for (int i = 0; i < count; i++) {
        build_send(world_of(&job, 0), 1, 1, 7 + i, BUILD_RETIRED);
        build_exact(world_of(&job, 1), 0, 0, 7 + i);
    }
    return job;
}

Test(left_messages, are_evidence_of_what_is_wrong)
{
    struct job job = leave_messages(6);
    receive_from(&job, 0, 1, 9);
    add_judged_thread(&job, 1, "MPI_Finalize", 0);
    struct analysis analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    expect_evidence(&analysis, 1,
                    "came to MPI_Finalize without having received a message from rank 0, 1 x MPI_INT (4 bytes), tag 7, "
                    "on MPI_COMM_WORLD, sent with MPI_Isend");
    size_t count = 0;
    const struct evidence_list *list = &analysis.findings.items[0].evidence;
    for (size_t i = 0; i < list->count; i++)
        count += strstr(list->items[i].text, text) != NULL;
    cr_expect_eq(count, 4, "the first ones only");
    end_judged_job(&job, &analysis);
}

Test(left_messages, are_told_where_nothing_is_wrong)
{
    struct job job = leave_messages(2);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    cr_assert_neq(analysis.remark, NULL);
    cr_expect_str_eq(analysis.remark,
                     "rank 1 came to MPI_Finalize without having received 2 messages, the first one from rank 0, "
                     "1 x MPI_INT (4 bytes), tag 7, on MPI_COMM_WORLD, sent with MPI_Isend");
    end_judged_job(&job, &analysis);
}

Test(left_messages, may_still_be_received_before)
{
    struct job job = leave_messages(1);
    job.processes[1].state = PROCESS_RUNNING;
    struct analysis analysis = judge_job(&job);
    cr_expect(analysis.remark == NULL || strstr(analysis.remark, text) == NULL);
    end_judged_job(&job, &analysis);
}
