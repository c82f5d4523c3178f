/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs in which MPI itself had a message that nobody asks for.
 */
#include "judged_job.h"
#include "model_builder.h"
#include "mpilens/layout.h"

#include <criterion/criterion.h>
#include <string.h>

/* Rank 1 waits for tag 8 of rank 0, and has a message with tag 7, of which its sender may remember something. */
static struct job wait_for_other_tag(bool is_remembered)
{
    struct job job = new_judged_job(2);
    if (is_remembered)
        build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    else
        build_forgotten(world_of(&job, 0), 1, 1, 1, 0);
    job.processes[0].state = PROCESS_FINALIZED;
    job.processes[1].unexpected_mode = MPILENS_UNEXPECTED_EXACT;
    build_exact(world_of(&job, 1), 0, 0, 7);
    receive_from(&job, 1, 0, 8);
    return job;
}

Test(exact_messages, are_evidence_with_what_the_sender_says)
{
    struct job job = wait_for_other_tag(true);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 1});
    expect_evidence(&analysis, 0,
                    "sent 1 x MPI_INT, tag 7, on MPI_COMM_WORLD with MPI_Isend: nobody has received it (exact: MPI has "
                    "it)");
    end_judged_job(&job, &analysis);
}

Test(exact_messages, are_evidence_when_the_sender_has_forgotten_them)
{
    struct job job = wait_for_other_tag(false);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 1});
    expect_evidence(&analysis, 0, "sent 4 bytes, tag 7, on MPI_COMM_WORLD: nobody has received it (exact: MPI has it)");
    cr_expect_neq(strstr(analysis.findings.items[0].message, "the message that rank 0 sent it has tag 7, not 8"), NULL);
    end_judged_job(&job, &analysis);
}
