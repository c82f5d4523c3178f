/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts on hand-made rings of receives from any source, in which one rank has sent nothing after its last message.
 */
#include "base/base.h"
#include "given_calls.h"
#include "judged_job.h"
#include "model_builder.h"

#include <criterion/criterion.h>
#include <string.h>

enum { ranks = 4, rounds = 5, keeper = 2, ring_tag = 7, other_tag = 8, note_tag = 9 };

static const struct site input_site = {.module = "a", .file = "ring.c", .line = 18};
static const struct site begin_site = {.module = "a", .file = "ring.c", .line = 19};
static const struct site start_site = {.module = "a", .file = "ring.c", .line = 20};
static const struct site relay_site = {.module = "a", .file = "ring.c", .line = 22};
static const struct site send_site = {.module = "a", .file = "ring.c", .line = 24};

static struct job job;
static struct analysis analysis;

static void begin(void)
{
    job = new_judged_job(ranks);
}

static void end(void)
{
    end_judged_job(&job, &analysis);
}

TestSuite(kept_message, .init = begin, .fini = end);

static void pass_on(int rank, int tag)
{
    const int next = (rank + 1) % ranks;
    struct operation *send = build_send(world_of(&job, rank), next, next, tag, BUILD_RETIRED);
    build_details(send)->site = &send_site;
}

static void take_from(int source, int rank, const struct site *site, int tag)
{
    struct communicator *world = world_of(&job, rank);
    struct operation *receive = build_receive(world, -1, -1, tag, BUILD_RETIRED);
    build_actual(world, receive, source, source, tag);
    build_details(receive)->site = site;
}

static void take(int rank, const struct site *site, int tag)
{
    take_from((rank + ranks - 1) % ranks, rank, site, tag);
}

static void relay(int rank, int count)
{
    for (int i = 0; i < count; i++) {
        take(rank, &relay_site, ring_tag);
        pass_on(rank, ring_tag);
    }
}

static void wait_at(int rank, const struct site *site)
{
    receive_from(&job, rank, -1, ring_tag);
    struct communicator *world = world_of(&job, rank);
    build_details(&world->receives.items[world->receives.count - 1])->site = site;
    job.processes[rank].threads[0].site = site;
}

static void start_ring(int count)
{
    for (int i = 0; i < count; i++) {
        if (i > 0)
            take(0, &start_site, ring_tag);
        pass_on(0, ring_tag);
    }
    wait_at(0, &start_site);
}

static void relay_and_wait(int rank, int count)
{
    relay(rank, count);
    wait_at(rank, &relay_site);
}

static bool is_told(void)
{
    analysis = judge_job(&job);
    cr_assert_eq(analysis.findings.count, 1);
    return strstr(analysis.findings.items[0].message, "has sent nothing after") != NULL;
}

/* Rank 2 keeps the message of the last round, with that tag. */
static void keep_last(int count, int tag)
{
    start_ring(count);
    relay_and_wait(1, count);
    relay(keeper, count - 1);
    take(keeper, &relay_site, tag);
    wait_at(keeper, &relay_site);
    relay_and_wait(3, count - 1);
}

Test(kept_message, names_the_rank)
{
    keep_last(rounds, ring_tag);
    cr_expect(is_told());
    expect_one_finding(&analysis, FINDING_DEADLOCK, 1, (int[]){keeper});
    const struct finding *finding = &analysis.findings.items[0];
    cr_expect_not_null(strstr(finding->message,
                              "rank 2 has sent nothing after the last message that it received at ring.c:22, unlike "
                              "after each of the 4 before: ranks [0-3] wait for each other"),
                       "%s", finding->message);
    cr_expect_str_eq(finding->remedy, "have rank 2 send rank 3 the 1 message that it left out: the others were sent "
                                      "with MPI_Isend at ring.c:24");
    expect_evidence(&analysis, keeper, "received 4 bytes from rank 1 with tag 7, and sent nothing after that");
}

Test(kept_message, a_few_before_show_no_habit)
{
    keep_last(3, ring_tag);
    cr_expect_not(is_told());
}

/* It may ask for no answer. */
Test(kept_message, another_tag_is_another_message)
{
    keep_last(rounds, other_tag);
    cr_expect_not(is_told());
}

static struct operation *find_awaited(int rank)
{
    struct operations *receives = &world_of(&job, rank)->receives;
    return &receives->items[receives->count - 1];
}

/* It may be what it needs to pass that on, as a credit. */
Test(kept_message, the_awaited_message_is_of_another_kind)
{
    keep_last(rounds, ring_tag);
    find_awaited(keeper)->tag = note_tag;
    cr_expect_not(is_told());
}

Test(kept_message, the_awaited_message_may_be_of_any_kind)
{
    keep_last(rounds, ring_tag);
    find_awaited(keeper)->tag_wild = true;
    cr_expect_not(is_told());
}

Test(kept_message, the_awaited_message_is_of_another_size)
{
    keep_last(rounds, ring_tag);
    build_details(find_awaited(keeper))->bytes = 1;
    cr_expect_not(is_told());
}

/* A round by its number. */
static int alternate(int round)
{
    return round % 2 == 0 ? ring_tag : other_tag;
}

static int count_rounds(int round)
{
    return ring_tag + round;
}

static void relay_with(int rank, int count, int (*tag_of)(int round))
{
    for (int i = 0; i < count; i++) {
        take(rank, &relay_site, tag_of(i));
        pass_on(rank, tag_of(i));
    }
}

static void keep_last_with(int (*tag_of)(int round), int last_tag)
{
    start_ring(rounds);
    relay_with(1, rounds, tag_of);
    wait_at(1, &relay_site);
    relay_with(keeper, rounds - 1, tag_of);
    take(keeper, &relay_site, last_tag);
    wait_at(keeper, &relay_site);
    relay_with(3, rounds - 1, tag_of);
    wait_at(3, &relay_site);
}

Test(kept_message, a_third_tag_is_another_message)
{
    keep_last_with(alternate, note_tag);
    cr_expect_not(is_told());
}

Test(kept_message, one_of_two_tags_is_missed)
{
    keep_last_with(alternate, ring_tag);
    cr_expect(is_told());
}

Test(kept_message, tags_may_count_the_messages)
{
    keep_last_with(count_rounds, count_rounds(rounds));
    cr_expect(is_told());
}

Test(kept_message, a_lower_tag_does_not_count_on)
{
    keep_last_with(count_rounds, ring_tag - 1);
    cr_expect_not(is_told());
}

/* Lengths are not known, as of messages received without a status. */
Test(kept_message, messages_of_unknown_length_are_not_alike)
{
    keep_last(rounds, ring_tag);
    struct operations *completed = &world_of(&job, keeper)->completed;
    for (size_t i = 0; i < completed->count; i++)
        build_details(&completed->items[i])->actual_bytes = -1;
    cr_expect_not(is_told());
}

Test(kept_message, messages_of_unknown_source_are_not_alike)
{
    keep_last(rounds, ring_tag);
    struct operations *completed = &world_of(&job, keeper)->completed;
    for (size_t i = 0; i < completed->count; i++)
        completed->items[i].actual_world = -1;
    cr_expect_not(is_told());
}

/* Rank 2 has started the ring, and got its own message back: it may be the last one. */
static void start_at_keeper(void)
{
    for (int rank = 0; rank < ranks; rank++) {
        if (rank == keeper)
            pass_on(rank, ring_tag);
        relay(rank, rank == keeper ? rounds - 1 : rounds);
        if (rank == keeper)
            take(rank, &relay_site, ring_tag);
        wait_at(rank, &relay_site);
    }
}

Test(kept_message, who_has_sent_as_many_may_have_started)
{
    start_at_keeper();
    cr_expect_not(is_told());
}

static void hand_input(int from, int rank)
{
    struct operation *send = build_send(world_of(&job, from), rank, rank, other_tag, BUILD_RETIRED);
    build_details(send)->site = &input_site;
    take_from(from, rank, &input_site, other_tag);
}

Test(kept_message, who_hands_out_input_has_sent_more)
{
    for (int rank = 1; rank < ranks; rank++)
        hand_input(0, rank);
    start_at_keeper();
    cr_expect_not(is_told());
}

Test(kept_message, input_of_the_rank_before_is_another_message)
{
    hand_input(keeper - 1, keeper);
    start_at_keeper();
    cr_expect_not(is_told());
}

Test(kept_message, others_have_got_forgotten_input_too)
{
    for (int rank = 0; rank < ranks; rank++) {
        if (rank == keeper - 1)
            continue;
        build_forgotten(world_of(&job, keeper - 1), rank, rank, 1, 0);
        build_forgotten(world_of(&job, rank), keeper - 1, keeper - 1, 0, 1);
    }
    start_at_keeper();
    cr_expect_not(is_told());
}

static void forget(int from, int rank, uint64_t count)
{
    build_forgotten(world_of(&job, from), rank, rank, count, 0);
    build_forgotten(world_of(&job, rank), from, from, 0, count);
}

Test(kept_message, forgotten_input_of_the_rank_before_is_another_message)
{
    forget(keeper - 1, keeper, 1);
    start_at_keeper();
    cr_expect_not(is_told());
}

static void forget_rounds(void)
{
    for (int rank = 0; rank < ranks; rank++)
        forget(rank, (rank + 1) % ranks, 100);
}

Test(kept_message, who_has_started_forgotten_rounds_is_not_known)
{
    forget_rounds();
    keep_last(rounds, ring_tag);
    cr_expect_not(is_told());
}

/* They are sent at another line than what is passed on. */
static void be_seen_to_start(int rank)
{
    struct operations *completed = &world_of(&job, rank)->completed;
    for (size_t i = 0; i < completed->count; i++)
        if ((completed->items[i].flags & MPILENS_OPERATION_SEND) != 0)
            build_details(&completed->items[i])->site = &begin_site;
}

Test(kept_message, another_rank_has_started_forgotten_rounds)
{
    forget_rounds();
    keep_last(rounds, ring_tag);
    be_seen_to_start(0);
    cr_expect(is_told());
}

/* It sends from another line what it gets at the line of all, as where two lines pass on. */
Test(kept_message, who_passes_on_at_another_line_starts_none)
{
    forget_rounds();
    keep_last(rounds, ring_tag);
    be_seen_to_start(1);
    cr_expect_not(is_told());
}

Test(kept_message, input_does_not_hide_the_rank)
{
    for (int rank = 1; rank < ranks; rank++)
        hand_input(0, rank);
    keep_last(rounds, ring_tag);
    cr_expect(is_told());
}

static void work(int rank, int count)
{
    for (int i = 0; i < count; i++) {
        take_from(0, rank, &relay_site, ring_tag);
        struct operation *send = build_send(world_of(&job, rank), 0, 0, ring_tag, BUILD_RETIRED);
        build_details(send)->site = &send_site;
    }
}

/* Told to end, they have sent nothing after that. */
Test(kept_message, other_workers_may_be_past_their_last_message)
{
    wait_at(0, &start_site);
    for (int rank = 1; rank < ranks; rank++) {
        const int done = rank == keeper ? rounds - 1 : rounds;
        work(rank, done);
        take_from(0, rank, &relay_site, rank == keeper ? ring_tag : note_tag);
        build_forgotten(world_of(&job, 0), rank, rank, (uint64_t)done + 1, (uint64_t)done);
        if (rank == keeper)
            wait_at(rank, &relay_site);
        else
            be_in_call(&job, rank, "MPI_Barrier", unknown);
    }
    cr_expect(is_told());
}

/* As at the end of the ring whose turn it was. */
Test(kept_message, others_have_kept_one_too)
{
    pass_on(0, ring_tag);
    start_ring(rounds);
    relay(1, 2);
    take(1, &relay_site, ring_tag);
    relay_and_wait(1, rounds - 2);
    relay(keeper, rounds - 1);
    take(keeper, &relay_site, ring_tag);
    wait_at(keeper, &relay_site);
    relay_and_wait(3, rounds - 1);
    cr_expect_not(is_told());
}

Test(kept_message, it_has_kept_one_before)
{
    build_forgotten(world_of(&job, 1), 3, 3, 2, 0);
    build_forgotten(world_of(&job, 3), 1, 1, 0, 2);
    pass_on(0, ring_tag);
    start_ring(rounds + 1);
    relay_and_wait(1, rounds + 2);
    relay(keeper, 1);
    take(keeper, &relay_site, ring_tag);
    relay(keeper, rounds - 1);
    take(keeper, &relay_site, ring_tag);
    wait_at(keeper, &relay_site);
    relay_and_wait(3, rounds);
    cr_expect_not(is_told());
}

/* Such as a message that is each hundredth. */
Test(kept_message, nobody_else_is_as_far)
{
    build_forgotten(world_of(&job, 1), keeper, keeper, 3, 0);
    build_forgotten(world_of(&job, keeper), 1, 1, 0, 3);
    keep_last(rounds, ring_tag);
    cr_expect_not(is_told());
}

/* A send may be among the lost records. */
Test(kept_message, records_were_lost)
{
    keep_last(rounds, ring_tag);
    job.processes[keeper].untracked_operations = 1;
    cr_expect_not(is_told());
}
