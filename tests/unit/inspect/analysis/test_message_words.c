/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words of verdicts about messages, on hand-made jobs.
 */
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(message_words, .fini = end);

static void expect_message(enum finding_kind kind, const char *text)
{
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1, "%zu findings", analysis.findings.count);
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_eq(finding->kind, kind, "%s", finding_kind_name(finding->kind));
    cr_expect_not_null(strstr(finding->message, text), "%s", finding->message);
}

/* The call is named with the request that keeps it, and not with all of them: those stand below it. */
Test(message_words, of_a_request_that_nothing_matches)
{
    job = new_judged_job(2);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_send(world_of(&job, 0), 1, 1, 9, BUILD_RETIRED);
    const uint64_t missing = build_receive(world_of(&job, 1), 0, 0, 8, BUILD_PENDING)->serial;
    const uint64_t matched = build_receive(world_of(&job, 1), 0, 0, 9, BUILD_PENDING)->serial;
    wait_for(&job, 1, "MPI_Waitall", MPILENS_CALL_WAIT, missing, matched);
    job.processes[0].state = PROCESS_FINALIZED;
    expect_message(FINDING_TAG_MISMATCH, "rank 1 is stuck in MPI_Waitall: nothing matches its MPI_Irecv(1 x MPI_INT "
                                         "<- 0, tag 8, MPI_COMM_WORLD); the message that rank 0 sent it");
    expect_evidence(&analysis, 1, "in MPI_Waitall(2 receives)");
    expect_evidence(&analysis, 1, "1 more request of this call already has a partner");
}

Test(message_words, of_a_send_to_itself)
{
    job = new_judged_job(1);
    struct operation *send = build_send(world_of(&job, 0), 0, 0, 4, BUILD_PENDING);
    send->flags |= MPILENS_OPERATION_BLOCKING;
    build_details(send)->function = "MPI_Send";
    wait_for(&job, 0, "MPI_Send", MPILENS_CALL_POINT_TO_POINT, send->serial, 0);
    expect_message(FINDING_NO_MATCH, "rank 0 sends to itself with a blocking MPI_Send(1 x MPI_INT -> 0, tag 4, "
                                     "MPI_COMM_WORLD): MPI_COMM_WORLD has only 1 member");
}

Test(message_words, of_a_receive_from_itself)
{
    job = new_judged_job(2);
    const uint64_t receive = build_receive(world_of(&job, 0), 0, 0, 4, BUILD_PENDING)->serial;
    wait_for(&job, 0, "MPI_Wait", MPILENS_CALL_WAIT, receive, 0);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    expect_message(FINDING_NO_MATCH, "rank 0 receives from itself with MPI_Irecv(1 x MPI_INT <- 0, tag 4, "
                                     "MPI_COMM_WORLD), and waits for it in MPI_Wait");
}

/* Only a standard send might have been kept by MPI. */
Test(message_words, of_sends_that_block)
{
    for (int synchronous = 0; synchronous <= 1; synchronous++) {
        job = new_judged_job(2);
        for (int rank = 0; rank < 2; rank++) {
            struct operation *send = build_send(world_of(&job, rank), 1 - rank, 1 - rank, 4, BUILD_PENDING);
            send->flags |= synchronous ? MPILENS_OPERATION_SYNCHRONOUS : 0;
            wait_for(&job, rank, "MPI_Send", MPILENS_CALL_POINT_TO_POINT, send->serial, 0);
        }
        expect_message(FINDING_DEADLOCK, "wait for each other");
        const char *remedy = analysis.findings.items[0].remedy;
        cr_expect_eq(strstr(remedy, "a standard send may block until the receive is posted") == NULL, synchronous == 1,
                     "%s", remedy);
        if (!synchronous)
            end();
    }
}

Test(message_words, of_messages_that_queue_up)
{
    job = new_judged_job(2);
    build_forgotten(world_of(&job, 1), 0, 0, 20000, 0);
    build_send(world_of(&job, 1), 0, 0, 5, BUILD_RETIRED);
    add_judged_thread(&job, 1, "", MPILENS_CALL_OTHER);
    receive_from(&job, 0, 1, 6);
    world_of(&job, 0)->unreceived_growth = 100;
    expect_message(FINDING_QUEUE_GROWTH, "20001 messages queue up at rank 0 on MPI_COMM_WORLD, 100 more than 0.5 s "
                                         "earlier, and it receives none of them; the newest is from rank 1, sent with "
                                         "MPI_Isend; it waits for tag 6, but these have tag 5");
}
