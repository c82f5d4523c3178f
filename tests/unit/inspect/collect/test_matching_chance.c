/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which messages are unexpected and which sends and receives match in jobs made by chance: the same as step by step.
 */
#include "base/base.h"
#include "collect/collect_internal.h"
#include "length.h"
#include "model_builder.h"
#include "opened_dll.h"
#include "plain_matching.h"

#include <criterion/criterion.h>
#include <math.h>

static unsigned chance_state;

/* 0 to `count` - 1. */
static int chance(int count)
{
    chance_state = chance_state * 1103515245u + 12345u;
    return (int)((chance_state >> 16) % (unsigned)count);
}

/* The communicator of rank 0's process and of the others: 0 the world, 1 with the ranks the other way round, 2 between
 * the lower and the upper half. */
static void build_communicators(struct job *job)
{
    const int size = job->size, low = size / 2, high = size - low;
    for (int rank = 0; rank < size; rank++) {
        build_communicator(&job->processes[rank], 50, size - 1 - rank, size, 0);
        build_communicator(&job->processes[rank], 60, rank < low ? rank : rank - low, rank < low ? low : high,
                           rank < low ? high : low);
    }
}

struct peer {
    int local, world;
};

static struct peer choose_peer(const struct job *job, int rank, int communicator)
{
    const int low = job->size / 2;
    int world = chance(job->size);
    if (communicator == 2)
        world = rank < low ? low + chance(job->size - low) : chance(low);
    const struct peer peers[] = {
        {world, world}, {job->size - 1 - world, world}, {world < low ? world : world - low, world}};
    return peers[communicator];
}

static void add_flags(struct operation *operation)
{
    static const uint32_t flags[] = {MPILENS_OPERATION_CANCELLED, MPILENS_OPERATION_PARTITIONED};
    if (chance(12) == 0)
        operation->flags |= flags[chance(2)];
    if (chance(4) == 0)
        operation->posted--;
    operation->age_s = floor(operation->age_s / 4);
}

static void add_receive(struct communicator *communicator, struct peer peer, enum build_status status)
{
    const bool any_source = chance(3) == 0, any_tag = chance(3) == 0;
    struct operation *receive = build_receive(communicator, any_source ? -1 : peer.local, any_source ? -1 : peer.world,
                                              any_tag ? -1 : chance(3), status);
    if (status != BUILD_PENDING && receive->actual_local < 0 && (status == BUILD_RETIRED || chance(3) > 0))
        build_actual(communicator, receive, peer.local, peer.world, any_tag ? chance(3) : receive->tag);
    if (chance(12) == 0)
        receive->flags |= MPILENS_OPERATION_FROM_MESSAGE;
    add_flags(receive);
}

static void add_message(struct communicator *communicator, struct peer peer)
{
    communicator->matched_messages = array_append(communicator->matched_messages, &communicator->message_count,
                                                  sizeof *communicator->matched_messages);
    communicator->matched_messages[communicator->message_count - 1] =
        (struct matched_message){.peer_local = peer.local, .peer_world = peer.world, .tag = chance(3)};
}

static void add_something(struct job *job, int communicator_count)
{
    const int rank = chance(job->size), number = chance(communicator_count);
    struct communicator *communicator = &job->processes[rank].communicators[number];
    struct peer peer = choose_peer(job, rank, number);
    if (number < 2 && chance(4) == 0)
        peer.world = -1;
    const enum build_status status = (enum build_status)chance(3);
    const int kind = chance(24);
    if (kind == 0)
        build_forgotten(communicator, peer.local, peer.world, (uint64_t)chance(3), (uint64_t)chance(3));
    else if (kind == 1)
        add_message(communicator, peer);
    else if (kind < 13)
        add_flags(build_send(communicator, peer.local, peer.world, chance(3), status));
    else
        add_receive(communicator, peer, status);
}

static void forget_ages(struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        operations->items[i].age_s = -1;
}

static struct job build_something(void)
{
    struct job job = build_job(1 + chance(4));
    build_communicators(&job);
    const int communicator_count = job.size > 1 ? 1 + chance(3) : 1;
    for (int left = chance(40); left > 0; left--)
        add_something(&job, communicator_count);
    const int ageless = chance(3 * job.size);
    for (size_t i = 0; ageless < job.size && i < job.processes[ageless].communicator_count; i++) {
        forget_ages(&job.processes[ageless].communicators[i].sends);
        forget_ages(&job.processes[ageless].communicators[i].completed);
    }
    return job;
}

struct tally {
    uint64_t messages, unexpected, matched, certain, ambiguous, unknown;
};

/* The oldest message that nothing takes and that was not seen; NULL: there is none. */
static const struct plain_message *find_oldest(const struct plain_result *expected, bool *is_seen)
{
    const struct plain_message *oldest = NULL;
    for (size_t i = 0; i < expected->message_count; i++) {
        const struct plain_message *message = &expected->messages[i];
        if (!message->is_taken && !is_seen[i] && (oldest == NULL || message->send->age_s > oldest->send->age_s))
            oldest = message;
    }
    if (oldest != NULL)
        is_seen[oldest - expected->messages] = true;
    return oldest;
}

static void expect_same_unexpected(const struct plain_result *expected, struct tally *tally)
{
    const struct operations *unexpected = &expected->receiver.communicator->unexpected;
    size_t next = 0;
    bool *is_seen = allocate(expected->message_count);
    for (const struct plain_message *message; (message = find_oldest(expected, is_seen)) != NULL;) {
        cr_assert_lt(next, unexpected->count);
        cr_assert_eq(unexpected->items[next].serial, message->send->serial);
        cr_assert_eq(unexpected->items[next].peer_local, message->sender.communicator->rank);
        cr_assert_eq(unexpected->items[next].peer_world, message->sender.process->rank);
        cr_assert_eq(unexpected->items[next].match_is_possible, message->send->match_is_possible);
        next++;
    }
    free(is_seen);
    cr_assert_eq(next, unexpected->count);
    cr_assert_eq(expected->receiver.communicator->unexpected_unknown, expected->unknown);
    tally->messages += expected->message_count;
    tally->unexpected += next;
    tally->unknown += expected->unknown;
}

static void expect_same_matches(const struct plain_result *expected, struct tally *tally)
{
    for (size_t i = 0; i < expected->take_count; i++) {
        const struct operation *receive = expected->takes[i].receive;
        if (receive == NULL)
            continue;
        cr_assert_eq(receive->match_rank, expected->takes[i].rank);
        cr_assert_eq(receive->match_serial, expected->takes[i].serial);
        cr_assert(receive->match_is_possible || !expected->takes[i].has_other, "it may turn out otherwise");
        cr_assert(expected->ways != 1 || !receive->match_is_possible, "it can turn out in one way only");
        tally->matched += receive->match_serial != 0;
        tally->certain += !receive->match_is_possible;
    }
    for (size_t i = 0; i < expected->message_count; i++) {
        const struct operation *send = expected->messages[i].send;
        cr_assert_eq(send->match_rank, expected->messages[i].is_taken ? expected->receiver.process->rank : -1);
        cr_assert_eq(send->match_serial, expected->messages[i].serial);
        cr_assert(send->match_is_possible || !expected->messages[i].has_other, "it may turn out otherwise");
        cr_assert(expected->ways != 1 || !send->match_is_possible, "it can turn out in one way only");
    }
    tally->ambiguous += expected->ways > 1;
}

Test(matching_chance, the_same_as_step_by_step)
{
    const unsigned jobs = length_of(20000);
    struct tally tally = {0};
    for (unsigned seed = 1; seed <= jobs; seed++) {
        chance_state = seed * 7919;
        struct job job = build_something();
        size_t count = 0;
        struct plain_result *expected = match_plainly(&job, &count);
        infer_unexpected(opened_dll(), &job);
        for (size_t i = 0; i < count; i++) {
            expect_same_unexpected(&expected[i], &tally);
            expect_same_matches(&expected[i], &tally);
        }
        plain_results_free(expected, count);
        job_clear(&job);
    }
    cr_expect_gt(tally.messages, jobs / 20);
    cr_expect_gt(tally.unexpected, jobs / 20);
    cr_expect_gt(tally.matched, jobs / 20);
    cr_expect_gt(tally.certain, jobs / 20);
    cr_expect_gt(tally.ambiguous, jobs / 20);
    cr_expect_gt(tally.unknown, jobs / 20);
}
