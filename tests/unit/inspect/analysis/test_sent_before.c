/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made jobs in which a message was left out: by what was sent before and lies there instead.
 */
#include "base/base.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { earlier_tag = 3, wanted_tag = 1, other_tag = 2, answer_tag = 9 };

static struct job job;
static struct analysis analysis;

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(sent_before, .fini = end);

/* A message that was sent and received. */
static struct operation *pass(int from, int to, int tag)
{
    struct operation *send = build_send(world_of(&job, from), to, to, tag, BUILD_RETIRED);
    build_receive(world_of(&job, to), from, from, tag, BUILD_RETIRED);
    return send;
}

/* Rank 1 waits for a message of rank 0, which waits for one of rank 1. */
static void judge(void)
{
    receive_from(&job, 0, 1, answer_tag);
    receive_from(&job, 1, 0, wanted_tag);
    analysis = judge_job(&job);
}

static void expect_message(const char *text)
{
    cr_expect_not_null(strstr(analysis.findings.items[0].message, text), "%s", analysis.findings.items[0].message);
}

static void expect_remedy(const char *text)
{
    cr_expect_not_null(strstr(analysis.findings.items[0].remedy, text), "%s", analysis.findings.items[0].remedy);
}

Test(sent_before, sender_has_run_ahead)
{
    job = new_judged_job(2);
    for (int step = 0; step < 2; step++) {
        pass(0, 1, wanted_tag);
        pass(0, 1, other_tag);
    }
    build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED);
    judge();
    expect_one_finding(&analysis, FINDING_NO_MATCH, 1, (int[]){0});
    expect_message("rank 0 has not sent that message, but has sent later ones (tag 2)");
    expect_message("rank 0 sent one like it earlier with MPI_Isend");
    expect_remedy("have rank 0 send it with MPI_Isend, as before");
    expect_evidence(&analysis, 0, "sent 1 x MPI_INT, tag 2, on MPI_COMM_WORLD with MPI_Isend: nobody has received it");
    expect_evidence(
        &analysis, 0,
        "sent before, like the message that rank 1 waits for now: 1 x MPI_INT, tag 1, to rank 1 with MPI_Isend");
}

/* In the first step: another rank has got both. */
Test(sent_before, sender_has_run_ahead_of_one_rank)
{
    job = new_judged_job(3);
    pass(0, 2, wanted_tag);
    pass(0, 2, other_tag);
    build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED);
    receive_from(&job, 2, 0, wanted_tag);
    judge();
    expect_one_finding(&analysis, FINDING_NO_MATCH, 1, (int[]){0});
    expect_message("sent one like it earlier with MPI_Isend, to rank 2");
}

/* It is always sent first: the sender has not come to the other one. */
Test(sent_before, message_for_later)
{
    job = new_judged_job(2);
    for (int step = 0; step < 2; step++) {
        pass(0, 1, other_tag);
        pass(0, 1, wanted_tag);
    }
    build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED);
    judge();
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
}

/* A tag that has never gone between the two. */
Test(sent_before, tag_that_is_new)
{
    job = new_judged_job(2);
    pass(0, 1, wanted_tag);
    pass(0, 1, wanted_tag);
    build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED);
    judge();
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 1});
}

/* At the place where the wanted messages are sent, not where messages of its tag are. */
Test(sent_before, tag_of_others_at_the_place_of_the_wanted)
{
    static const struct site wanted_place = {.module = "a", .file = "a.c", .line = 1},
                             other_place = {.module = "a", .file = "a.c", .line = 2};
    job = new_judged_job(2);
    build_details(pass(0, 1, wanted_tag))->site = &wanted_place;
    build_details(pass(0, 1, other_tag))->site = &other_place;
    build_details(build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED))->site = &wanted_place;
    judge();
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 1});
}

static void give(struct operation *operation, int64_t count, const char *datatype, int64_t bytes)
{
    struct operation_details *details = build_details(operation);
    details->count = count;
    details->datatype = datatype;
    details->bytes = bytes;
}

/* Rank 0 waits in a barrier; rank 1 for two integers of it, while 16 bytes with another tag lie there. */
static void wait_for_integers(void)
{
    job = new_judged_job(3);
    give(build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED), 16, "MPI_BYTE", 16);
    receive_from(&job, 1, 0, wanted_tag);
    give(&world_of(&job, 1)->receives.items[0], 2, "MPI_LONG_LONG_INT", 16);
    receive_from(&job, 2, 1, answer_tag);
    struct thread *thread = add_judged_thread(&job, 0, "MPI_Probe", MPILENS_CALL_PROBE);
    thread->communicator_id = 1;
    thread->peer_local = thread->peer_world = 1;
    thread->tag = answer_tag;
}

Test(sent_before, message_of_other_elements)
{
    wait_for_integers();
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
}

/* Rank 0, whose thread there is. */
static void enter_barrier(void)
{
    job.processes[0].threads[0].call_class = MPILENS_CALL_COLLECTIVE;
    job.processes[0].threads[0].function = "MPI_Barrier";
    struct communicator *world = world_of(&job, 0);
    build_collective(world, "MPI_Barrier");
}

/* A message that fits but for one thing is nearer than any other message of the right rank. */
Test(sent_before, message_that_fits_but_for_its_source)
{
    wait_for_integers();
    give(build_send(world_of(&job, 2), 1, 1, wanted_tag, BUILD_RETIRED), 2, "MPI_LONG_LONG_INT", 16);
    enter_barrier();
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_SOURCE_MISMATCH, 2, (int[]){1, 2});
    expect_message("would fit, but is from rank");
    expect_remedy("receive from rank 2, or have rank 0 send");
}

/* In a library, whose place the live call does not have; its messages have tags that run on. Each rank's turn comes. */
Test(sent_before, message_for_the_next_receive_of_a_library)
{
    static const struct site library_site = {.module = "lib", .offset = 8}, line = {.file = "a.py", .line = 14};
    job = new_judged_job(3);
    for (int source = 0; source < 3; source += 2) {
        build_send(world_of(&job, source), 1, 1, earlier_tag, BUILD_RETIRED);
        struct operation *receive = build_receive(world_of(&job, 1), source, source, earlier_tag, BUILD_RETIRED);
        build_details(receive)->site = &library_site;
        build_details(receive)->site_address = 4096;
    }
    build_send(world_of(&job, 2), 1, 1, wanted_tag, BUILD_RETIRED);
    receive_from(&job, 1, 0, wanted_tag);
    build_details(&world_of(&job, 1)->receives.items[0])->site = &line;
    build_details(&world_of(&job, 1)->receives.items[0])->site_address = 4096;
    add_judged_thread(&job, 0, "MPI_Barrier", MPILENS_CALL_COLLECTIVE)->communicator_id = 1;
    enter_barrier();
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    cr_expect_neq(analysis.findings.items[0].kind, FINDING_SOURCE_MISMATCH);
    cr_expect_not(ranks_has(&analysis.findings.items[0].culprits, 2));
}

Test(sent_before, message_that_is_too_long)
{
    job = new_judged_job(2);
    give(build_send(world_of(&job, 0), 1, 1, other_tag, BUILD_RETIRED), 100, "MPI_INT", 400);
    judge();
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
}

/* Both have sent such messages before: one of them is missing, and where it is sent is told. */
Test(sent_before, cycle_of_messages_that_have_gone_before)
{
    job = new_judged_job(2);
    pass(0, 1, wanted_tag);
    pass(1, 0, answer_tag);
    judge();
    expect_one_finding(&analysis, FINDING_DEADLOCK, 2, (int[]){0, 1});
    expect_remedy("one of these messages was left out, or is sent too late: ");
    expect_remedy("from rank 0 to rank 1 (as before with MPI_Isend)");
    expect_remedy("from rank 1 to rank 0 (as before with MPI_Isend)");
}

/* Rank 0 hands out work to each of the workers; rank 2 has left out an answer. */
Test(sent_before, worker_that_has_not_answered)
{
    enum { workers = 4, lazy = 2 };
    job = new_judged_job(workers + 1);
    for (int worker = 1; worker <= workers; worker++) {
        for (int piece = 0; piece <= worker; piece++) {
            pass(0, worker, wanted_tag);
            if (worker != lazy || piece != 1)
                pass(worker, 0, answer_tag);
        }
        receive_from(&job, worker, 0, wanted_tag);
    }
    static const struct site place = {.module = "a", .file = "a.c", .line = 3};
    receive_from(&job, 0, -1, answer_tag);
    job.processes[0].threads[0].site = &place;
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 5, (int[]){0, 1, 2, 3, 4});
    expect_message("rank 2 has received 3 messages from rank 0 on MPI_COMM_WORLD and sent it 2; the 3 others in that "
                   "call sent as many as they received");
    expect_remedy("have rank 2 send rank 0 the 1 message that it left out: the others were sent with MPI_Isend");
    expect_evidence(
        &analysis, 2,
        "received 3 messages from rank 0 on MPI_COMM_WORLD and sent it 2; the 3 others in that call sent as "
        "many as they received");
}

/* In a ring, everyone sends as many messages, but rank 3. */
Test(sent_before, rank_that_has_sent_less)
{
    enum { ranks = 6 };
    job = new_judged_job(ranks);
    for (int rank = 0; rank < ranks; rank++) {
        build_forgotten(world_of(&job, rank), (rank + 1) % ranks, (rank + 1) % ranks, rank == 3 ? 9 : 10, 0);
        build_forgotten(world_of(&job, rank), (rank + 5) % ranks, (rank + 5) % ranks, 0, rank == 4 ? 9 : 10);
        world_of(&job, rank)->collective_calls = rank == 5 ? 3 : 4;
        receive_from(&job, rank, (rank + 5) % ranks, wanted_tag);
    }
    analysis = judge_job(&job);
    expect_evidence(&analysis, 3, "sent 9 messages on MPI_COMM_WORLD; the 5 others in that call sent 10");
    expect_evidence(&analysis, 4, "received 9 messages on MPI_COMM_WORLD; the 5 others in that call received 10");
    expect_evidence(&analysis, 5, "made 3 collective calls on MPI_COMM_WORLD; the 5 others in that call made 4");
}

enum { ANY = -1, RUN = 6, other = 50 };

/* Tags 0 to 5 from rank 0 to rank 2, which waits for one more. */
static void run_on(int source, int wanted)
{
    job = new_judged_job(3);
    for (int tag = 0; tag < RUN; tag++)
        pass(0, 2, tag);
    receive_from(&job, 0, 1, answer_tag);
    receive_from(&job, 1, 2, answer_tag);
    receive_from(&job, 2, source, wanted);
}

Test(sent_before, tags_that_run_on)
{
    run_on(ANY, RUN);
    build_send(world_of(&job, 1), 2, 2, other, BUILD_RETIRED);
    build_send(world_of(&job, 0), 2, 2, RUN + 1, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_NO_MATCH, 1, (int[]){0});
    expect_message("the 6 messages that it has received on that communicator are all from rank 0");
    expect_message("rank 0 has not sent it tag 6, but 1 later one");
}

/* As parameters, for a receive that rank 2 has left out. */
Test(sent_before, tags_that_run_on_after_a_message_of_another_kind)
{
    run_on(ANY, RUN);
    build_send(world_of(&job, 0), 2, 2, RUN + 100, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 3, (int[]){0, 1, 2});
}

/* The source may send it when rank 1 has answered. */
Test(sent_before, tag_that_is_held_up)
{
    static const struct site place = {.module = "a", .file = "a.c", .line = 3};
    run_on(0, RUN);
    struct communicator *world = world_of(&job, 2);
    for (size_t i = 0; i < world->completed.count; i++)
        build_details(&world->completed.items[i])->site = &place;
    build_details(&world->receives.items[0])->site = &place;
    build_send(world_of(&job, 0), 2, 2, RUN + 1, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 3, (int[]){0, 1, 2});
}

/* It may come yet. */
Test(sent_before, tags_that_run_on_so_far)
{
    run_on(ANY, RUN);
    build_send(world_of(&job, 1), 2, 2, other, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){1, 2});
}

/* Rank 2 waits for the first message of another kind, which rank 1 may have left out. */
Test(sent_before, tags_that_run_on_are_of_another_kind)
{
    run_on(ANY, RUN + 100);
    build_send(world_of(&job, 0), 2, 2, RUN, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_DEADLOCK, 3, (int[]){0, 1, 2});
}

/* As above, but its tag may have been meant for that message. */
Test(sent_before, tag_that_is_not_the_next)
{
    run_on(ANY, RUN + 1);
    build_send(world_of(&job, 0), 2, 2, RUN, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 2});
}

/* Tags have risen there, not often enough to tell more. */
Test(sent_before, message_before_may_have_been_left_out)
{
    enum { few = 3 };
    static const struct site place = {.module = "a", .file = "a.c", .line = 3};
    job = new_judged_job(2);
    for (int tag = 0; tag < few; tag++)
        pass(0, 1, tag);
    receive_from(&job, 0, 1, answer_tag);
    receive_from(&job, 1, ANY, few);
    struct communicator *world = world_of(&job, 1);
    for (size_t i = 0; i < world->completed.count; i++)
        build_details(&world->completed.items[i])->site = &place;
    build_details(&world->receives.items[0])->site = &place;
    build_send(world_of(&job, 0), 1, 1, few + 1, BUILD_RETIRED);
    analysis = judge_job(&job);
    expect_one_finding(&analysis, FINDING_TAG_MISMATCH, 2, (int[]){0, 1});
    expect_remedy("use the same tag at both places; or, if the message with tag 3 was left out, send it");
}
