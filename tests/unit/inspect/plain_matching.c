/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unexpected messages, step by step.
 */
#include "plain_matching.h"

#include "base/base.h"
#include "plain_under_way.h"

#include <stdlib.h>

enum { MOST_WAYS = 100000 };

/* A receive in what it accepts, and the ways in which it has turned out. */
struct taker {
    struct operation accepted;
    size_t guess; /* message; message_count: none */
    bool *seen;   /* of messages, and of none: it has turned out so */
};

struct attempt {
    struct plain_result *result;
    struct taker *takers;
    size_t taker_count;
    size_t *taken_by;  /* of messages: taker, taker_count: none */
    bool *seen_takers; /* [message][taker or none] */
};

static void add_taker(struct attempt *attempt, struct operation *receive, const struct operation *accepted)
{
    struct plain_result *result = attempt->result;
    result->takes = array_append(result->takes, &result->take_count, sizeof *result->takes);
    result->takes[result->take_count - 1] = (struct plain_take){.receive = receive, .rank = -1};
    attempt->takers[attempt->taker_count++].accepted = *accepted;
}

static void list_takers(struct attempt *attempt)
{
    struct communicator *communicator = attempt->result->receiver.communicator;
    attempt->takers = allocate((communicator->receives.count + communicator->message_count) * sizeof *attempt->takers);
    const uint32_t no_part = MPILENS_OPERATION_CANCELLED | MPILENS_OPERATION_PARTITIONED;
    for (size_t i = 0; i < communicator->receives.count; i++) {
        struct operation *receive = &communicator->receives.items[i];
        struct operation accepted = *receive;
        if (receive->status != mqs_st_complete || (receive->flags & no_part) != 0)
            continue;
        if (receive->actual_local >= 0) {
            accepted.peer_local = receive->actual_local;
            accepted.peer_world = receive->actual_world;
            accepted.tag = receive->actual_tag;
            accepted.tag_wild = false;
        }
        add_taker(attempt, receive, &accepted);
    }
    for (size_t i = 0; i < communicator->message_count; i++) {
        const struct matched_message *matched = &communicator->matched_messages[i];
        const struct operation accepted = {
            .peer_local = matched->peer_local, .peer_world = matched->peer_world, .tag = matched->tag};
        add_taker(attempt, NULL, &accepted);
    }
    for (int from_message = 1; from_message >= 0; from_message--)
        for (size_t i = 0; i < communicator->receives.count; i++) {
            struct operation *receive = &communicator->receives.items[i];
            if (plainly_awaits(receive) && ((receive->flags & MPILENS_OPERATION_FROM_MESSAGE) != 0) == from_message)
                add_taker(attempt, receive, receive);
        }
}

static bool is_acceptable(const struct attempt *attempt, size_t taker, size_t message)
{
    const struct plain_message *offered = &attempt->result->messages[message];
    return attempt->taken_by[message] == attempt->taker_count &&
           plainly_accepts(attempt->result->receiver, &attempt->takers[taker].accepted, offered->sender,
                           offered->send->tag);
}

/* The best guess: of a sender the first, of several the oldest. */
static void guess(struct attempt *attempt)
{
    const size_t none = attempt->result->message_count;
    for (size_t taker = 0; taker < attempt->taker_count; taker++) {
        size_t best = none;
        const struct plain_message *messages = attempt->result->messages;
        for (size_t i = 0; i < none; i++)
            if (is_acceptable(attempt, taker, i) &&
                (best == none || messages[i].send->age_s > messages[best].send->age_s))
                best = attempt->takers[taker].accepted.peer_local >= 0 && best != none ? best : i;
        attempt->takers[taker].guess = best;
        if (best != none)
            attempt->taken_by[best] = taker;
    }
}

static void note_way(struct attempt *attempt)
{
    const size_t none = attempt->result->message_count;
    bool *seen = allocate(attempt->taker_count * sizeof *seen);
    for (size_t i = 0; i < none; i++) {
        const size_t taker = attempt->taken_by[i];
        attempt->seen_takers[i * (attempt->taker_count + 1) + taker] = true;
        if (taker == attempt->taker_count)
            continue;
        attempt->takers[taker].seen[i] = true;
        seen[taker] = true;
    }
    for (size_t taker = 0; taker < attempt->taker_count; taker++)
        if (!seen[taker])
            attempt->takers[taker].seen[none] = true;
    free(seen);
}

/* Goes through all ways from the taker on. */
static void explore(struct attempt *attempt, size_t taker)
{
    if (attempt->result->ways > MOST_WAYS)
        return;
    if (taker == attempt->taker_count) {
        attempt->result->ways++;
        note_way(attempt);
        return;
    }
    bool has_choice = false;
    const struct plain_message *messages = attempt->result->messages;
    for (size_t i = 0; i < attempt->result->message_count; i++) {
        bool is_first = is_acceptable(attempt, taker, i); /* of its sender */
        for (size_t j = 0; j < i && is_first; j++)
            is_first =
                messages[j].sender.communicator != messages[i].sender.communicator || !is_acceptable(attempt, taker, j);
        if (!is_first)
            continue;
        has_choice = true;
        attempt->taken_by[i] = taker;
        explore(attempt, taker + 1);
        attempt->taken_by[i] = attempt->taker_count;
    }
    if (!has_choice)
        explore(attempt, taker + 1);
}

static void note_guess(struct attempt *attempt)
{
    struct plain_result *result = attempt->result;
    for (size_t i = 0; i < result->take_count; i++) {
        const size_t message = attempt->takers[i].guess;
        if (message == result->message_count)
            continue;
        result->takes[i].rank = result->messages[message].sender.process->rank;
        result->takes[i].serial = result->messages[message].send->serial;
        result->messages[message].is_taken = true;
        result->messages[message].serial = result->takes[i].receive != NULL ? result->takes[i].receive->serial : 0;
    }
}

static void note_others(struct attempt *attempt)
{
    struct plain_result *result = attempt->result;
    for (size_t i = 0; i < result->take_count; i++)
        for (size_t message = 0; message <= result->message_count; message++)
            result->takes[i].has_other |= attempt->takers[i].seen[message] && message != attempt->takers[i].guess;
    for (size_t message = 0; message < result->message_count; message++)
        for (size_t i = 0; i <= attempt->taker_count; i++) {
            const bool is_guess =
                i < attempt->taker_count ? attempt->takers[i].guess == message : !result->messages[message].is_taken;
            result->messages[message].has_other |=
                attempt->seen_takers[message * (attempt->taker_count + 1) + i] && !is_guess;
        }
}

static void take_messages(struct plain_result *result)
{
    struct attempt attempt = {.result = result};
    const size_t count = result->message_count;
    list_takers(&attempt);
    attempt.taken_by = allocate(count * sizeof *attempt.taken_by);
    attempt.seen_takers = allocate(count * (attempt.taker_count + 1) * sizeof *attempt.seen_takers);
    for (size_t i = 0; i < attempt.taker_count; i++)
        attempt.takers[i].seen = allocate((count + 1) * sizeof *attempt.takers[i].seen);
    for (size_t i = 0; i < count; i++)
        attempt.taken_by[i] = attempt.taker_count;
    guess(&attempt);
    note_guess(&attempt);
    for (size_t i = 0; i < count; i++)
        attempt.taken_by[i] = attempt.taker_count;
    explore(&attempt, 0);
    if (result->ways > MOST_WAYS)
        result->ways = 0;
    else
        note_others(&attempt);
    for (size_t i = 0; i < attempt.taker_count; i++)
        free(attempt.takers[i].seen);
    free(attempt.takers);
    free(attempt.taken_by);
    free(attempt.seen_takers);
}

static void match_to(const struct job *job, struct plain_result *result)
{
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            const struct plain_member sender = {&job->processes[i], &job->processes[i].communicators[j]};
            if (sender.communicator->id == result->receiver.communicator->id)
                plain_find_messages(sender, result->receiver, result);
        }
    take_messages(result);
}

struct plain_result *match_plainly(const struct job *job, size_t *ret_count)
{
    struct plain_result *results = NULL;
    *ret_count = 0;
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            results = array_append(results, ret_count, sizeof *results);
            results[*ret_count - 1].receiver =
                (struct plain_member){&job->processes[i], &job->processes[i].communicators[j]};
            match_to(job, &results[*ret_count - 1]);
        }
    return results;
}

void plain_results_free(struct plain_result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(results[i].messages);
        free(results[i].takes);
    }
    free(results);
}
