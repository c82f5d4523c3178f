/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs in which messages were too long for their receives.
 */
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { tag = 7, other_tag = 9, room = 40, length = 80 };

static void send_long(struct job *job)
{
    struct operation *send = build_send(world_of(job, 0), 1, 1, tag, BUILD_RETIRED);
    build_details(send)->bytes = length;
}

static void receive(struct job *job, bool truncated)
{
    struct operation *received = build_receive(world_of(job, 1), 0, 0, tag, BUILD_RETIRED);
    build_details(received)->bytes = truncated ? room : length;
    build_details(received)->actual_bytes = truncated ? -1 : length;
    if (truncated)
        received->flags |= MPILENS_OPERATION_TRUNCATED;
}

static void expect_lost(const struct analysis *analysis)
{
    expect_evidence(analysis, 1,
                    "lost a message of 80 bytes from rank 0, too long for MPI_Irecv(1 x MPI_INT <- 0, tag 7, "
                    "MPI_COMM_WORLD)");
}

static void expect_message(const struct analysis *analysis, const char *text)
{
    cr_expect_not_null(strstr(analysis->findings.items[0].message, text), "%s", analysis->findings.items[0].message);
}

Test(lost_message, is_why_a_receive_waits)
{
    struct job job = new_judged_job(2);
    send_long(&job);
    receive(&job, true);
    receive_from(&job, 0, 1, other_tag);
    receive_from(&job, 1, 0, tag);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_SIZE_MISMATCH, 2, (int[]){0, 1});
    expect_message(&analysis, "is lost: it has 80 bytes and was too long");
    expect_message(&analysis, "with room for 40");
    expect_evidence(&analysis, 0, "sent 1 x MPI_INT, tag 7, on MPI_COMM_WORLD with MPI_Isend: it is lost");
    expect_lost(&analysis);
    end_judged_job(&job, &analysis);
}

Test(lost_message, is_told_before_one_that_nearly_fits)
{
    struct job job = new_judged_job(2);
    send_long(&job);
    build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED);
    receive(&job, true);
    receive_from(&job, 1, 0, tag);
    job.processes[0].state = PROCESS_FINALIZED;
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_SIZE_MISMATCH, 2, (int[]){0, 1});
    end_judged_job(&job, &analysis);
}

Test(lost_message, of_which_the_sender_remembers_nothing)
{
    struct job job = new_judged_job(2);
    build_forgotten(world_of(&job, 0), 1, 1, 1, 0);
    receive(&job, true);
    receive_from(&job, 0, 1, other_tag);
    receive_from(&job, 1, -1, tag);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_SIZE_MISMATCH, 2, (int[]){0, 1});
    expect_message(&analysis, "a message from rank 0 is lost: it was too long for an earlier");
    end_judged_job(&job, &analysis);
}

Test(lost_message, that_was_asked_for_again_is_only_evidence)
{
    struct job job = new_judged_job(2);
    send_long(&job);
    receive(&job, true);
    send_long(&job);
    receive(&job, false);
    receive_from(&job, 0, 1, other_tag);
    receive_from(&job, 1, 0, tag);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    expect_lost(&analysis);
    end_judged_job(&job, &analysis);
}

Test(lost_message, is_evidence_where_its_answer_is_waited_for)
{
    struct job job = new_judged_job(2);
    send_long(&job);
    receive(&job, true);
    receive_from(&job, 0, 1, other_tag);
    receive_from(&job, 1, 0, other_tag);
    struct analysis analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    expect_lost(&analysis);
    end_judged_job(&job, &analysis);
}

Test(lost_message, of_a_job_that_goes_on_is_nothing_to_tell)
{
    struct job job = new_judged_job(2);
    send_long(&job);
    receive(&job, true);
    add_judged_thread(&job, 0, "", MPILENS_CALL_OTHER);
    receive_from(&job, 1, 0, tag);
    struct analysis analysis = judge_job(&job);
    cr_expect_eq(analysis.findings.count, 0);
    end_judged_job(&job, &analysis);
}

/* The error handler has jumped away from the receive that took the message: nothing has counted it. */
Test(lost_message, that_nobody_has_counted)
{
    for (int is_young = 0; is_young < 2; is_young++) {
        struct job job = new_judged_job(2);
        send_long(&job);
        if (is_young)
            world_of(&job, 0)->completed.items[0].age_s = 0.1;
        receive_from(&job, 0, 1, other_tag);
        receive_from(&job, 1, 0, tag);
        struct analysis analysis = judge_job(&job);
        if (is_young)
            cr_expect_eq(analysis.findings.count, 0, "it may have ended the receive since");
        else
            expect_one_finding(&analysis, FINDING_SIZE_MISMATCH, 2, (int[]){0, 1});
        end_judged_job(&job, &analysis);
    }
}
