/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs in which MPI did not have what was sent.
 */
#include "judged_job.h"
#include "model_builder.h"
#include "mpilens/layout.h"

#include <criterion/criterion.h>
#include <string.h>

enum { tag = 7, other_tag = 9, sent_s = 60 };

/* Rank 0 sends, and both wait for another message. `asked_s`: how long after that rank 1 asked its MPI. */
static struct analysis judge_sent(struct job *job, uint32_t mode, double asked_s)
{
    if (job->process_count == 0)
        *job = new_judged_job(2);
    struct operation *send = build_send(world_of(job, 0), 1, 1, tag, BUILD_RETIRED);
    send->age_s = sent_s;
    job->processes[1].unexpected_mode = mode;
    job->processes[1].unexpected_as_of_s = sent_s - asked_s;
    receive_from(job, 0, 1, other_tag);
    receive_from(job, 1, 0, other_tag);
    return judge_job(job);
}

static size_t count_withheld(const struct analysis *analysis)
{
    size_t count = 0;
    cr_assert_eq(analysis->findings.count, 1);
    const struct evidence_list *list = &analysis->findings.items[0].evidence;
    for (size_t i = 0; i < list->count; i++)
        count += strstr(list->items[i].text, "its MPI did not have") != NULL;
    return count;
}

Test(withheld_messages, are_told_of_a_rank_that_asked_later)
{
    struct job job = {.process_count = 0};
    struct analysis analysis = judge_sent(&job, MPILENS_UNEXPECTED_EXACT, 3);
    cr_expect_eq(count_withheld(&analysis), 1);
    expect_evidence(&analysis, 1,
                    "its MPI did not have, 57.0 s ago, what rank 0 had sent with MPI_Isend 3.0 s earlier: "
                    "1 x MPI_INT (4 bytes), tag 7, on MPI_COMM_WORLD");
    end_judged_job(&job, &analysis);
}

Test(withheld_messages, may_be_on_their_way_for_a_moment)
{
    struct job job = {.process_count = 0};
    struct analysis analysis = judge_sent(&job, MPILENS_UNEXPECTED_EXACT, 0.5);
    cr_expect_eq(count_withheld(&analysis), 0);
    end_judged_job(&job, &analysis);
}

Test(withheld_messages, are_none_where_nobody_asked)
{
    struct job job = {.process_count = 0};
    struct analysis analysis = judge_sent(&job, MPILENS_UNEXPECTED_INFERRED, 3);
    cr_expect_eq(count_withheld(&analysis), 0);
    end_judged_job(&job, &analysis);
}

Test(withheld_messages, are_none_where_the_sender_was_read_later)
{
    struct job job = new_judged_job(2);
    job.processes[0].ages_end_s = 1003;
    job.processes[1].ages_end_s = 1000;
    struct analysis analysis = judge_sent(&job, MPILENS_UNEXPECTED_EXACT, 3);
    cr_expect_eq(count_withheld(&analysis), 0, "it was sent when MPI was asked");
    end_judged_job(&job, &analysis);
}

Test(withheld_messages, are_told_where_the_sender_was_read_before)
{
    struct job job = new_judged_job(2);
    job.processes[0].ages_end_s = 1000;
    job.processes[1].ages_end_s = 1003;
    struct analysis analysis = judge_sent(&job, MPILENS_UNEXPECTED_EXACT, 0.5);
    expect_evidence(&analysis, 1,
                    "its MPI did not have, 59.5 s ago, what rank 0 had sent with MPI_Isend 3.5 s earlier: "
                    "1 x MPI_INT (4 bytes), tag 7, on MPI_COMM_WORLD");
    end_judged_job(&job, &analysis);
}

Test(withheld_messages, may_be_of_a_part_that_was_read_later)
{
    struct job job = new_judged_job(2);
    job.processes[1].part = 1;
    struct analysis analysis = judge_sent(&job, MPILENS_UNEXPECTED_EXACT, 20);
    cr_expect_eq(count_withheld(&analysis), 0);
    end_judged_job(&job, &analysis);
}
