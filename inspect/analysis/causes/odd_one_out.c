/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds ranks that have done less or more than others that wait in the same call.
 */
#include "analysis/causes/causes.h"

#include "analysis/calls/calls.h"
#include "analysis/messages/messages.h"
#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ALIKE = 3,
    MOST_GROUPS = 4,
    MOST_COMMUNICATORS = 16,
    MOST_PEERS = 8,
    MOST_ODD = 4, /* of one thing: more are no exception */
};

/* Processes that wait in the same call. */
struct alike {
    const struct process **processes; /* by rank */
    size_t count;
};

static struct alike find_alike(const struct job *job, const struct thread *like)
{
    struct alike alike = {.processes = allocate((job->process_count + 1) * sizeof(struct process *))};
    for (size_t i = 0; i < job->process_count; i++) {
        const struct thread *thread = find_first_blocked(&job->processes[i]);
        if (thread != NULL && strcmp(thread->function, like->function) == 0 && site_is_same(thread->site, like->site))
            alike.processes[alike.count++] = &job->processes[i];
    }
    return alike;
}

static int compare_values(const void *left_value, const void *right_value)
{
    const int64_t left = *(const int64_t *)left_value, right = *(const int64_t *)right_value;
    return left < right ? -1 : left > right;
}

/* The value that two thirds of them have, and not all. */
static bool find_usual(const int64_t *values, size_t count, int64_t *ret_usual, size_t *ret_others)
{
    int64_t *sorted = allocate((count + 1) * sizeof *sorted);
    size_t most = 0;
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_values);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && sorted[end] == sorted[first];)
            end++;
        if (end - first > most) {
            most = end - first;
            *ret_usual = sorted[first];
        }
    }
    free(sorted);
    *ret_others = most;
    return count >= LEAST_ALIKE && most < count && most * 3 >= count * 2 && count - most <= MOST_ODD;
}

static void add_odd(struct odd_ones *odd, struct odd_one one)
{
    odd->items = arena_append(odd->items, &odd->count, sizeof *odd->items);
    odd->items[odd->count - 1] = one;
}

/* The traffic of one member on a communicator. */
struct part {
    const struct process *process;
    const struct communicator *communicator;
    uint64_t sent, received;
};

/* Members of which `values` are told apart. */
struct comparison {
    enum odd_thing thing;
    bool is_shared;
    int32_t peer;
};

static void compare_parts(const struct comparison *comparison, const struct part *parts, const int64_t *values,
                          size_t count, struct odd_ones *odd)
{
    int64_t usual = 0;
    size_t others = 0;
    if (count == 0 || !find_usual(values, count, &usual, &others))
        return;
    for (size_t i = 0; i < count; i++)
        if (values[i] != usual)
            add_odd(odd, (struct odd_one){.thing = comparison->thing,
                                          .process = parts[i].process,
                                          .communicator = parts[i].communicator,
                                          .is_shared = comparison->is_shared,
                                          .peer = comparison->peer,
                                          .sent = parts[i].sent,
                                          .received = parts[i].received,
                                          .value = values[i],
                                          .usual = usual,
                                          .others = others});
}

/* All talk with this rank, which is none of them. */
static void compare_answers(struct part *parts, int64_t *values, size_t count, int32_t peer, struct odd_ones *odd)
{
    size_t talking = 0;
    for (size_t i = 0; i < count; i++) {
        const struct channel *channel = message_channel_find(parts[i].communicator, peer);
        parts[i].sent = channel != NULL ? channel->sent : 0;
        parts[i].received = channel != NULL ? channel->received : 0;
        values[i] = (int64_t)(parts[i].received - parts[i].sent);
        talking += parts[i].sent + parts[i].received > 0;
    }
    if (talking == count)
        compare_parts(&(struct comparison){ODD_ANSWERS, true, peer}, parts, values, count, odd);
}

/* Compares the ranks that have as many peers as most: at the edge of a grid there are fewer. */
static void compare_totals(const struct part *all, size_t all_count, bool is_shared, struct odd_ones *odd)
{
    struct part *parts = allocate((all_count + 1) * sizeof *parts);
    int64_t *values = allocate((all_count + 1) * sizeof *values);
    int64_t peers = 0;
    size_t most, count = 0;
    for (size_t i = 0; i < all_count; i++)
        values[i] = (int64_t)all[i].communicator->channel_count;
    find_usual(values, all_count, &peers, &most);
    for (size_t i = 0; i < all_count && peers > 0; i++) {
        if ((int64_t)all[i].communicator->channel_count != peers)
            continue;
        struct part *part = &parts[count++];
        *part = all[i];
        part->sent = part->received = 0;
        for (size_t j = 0; j < part->communicator->channel_count; j++) {
            part->sent += part->communicator->channels[j].sent;
            part->received += part->communicator->channels[j].received;
        }
    }
    for (int received = 0; received <= 1; received++) {
        for (size_t i = 0; i < count; i++)
            values[i] = (int64_t)(received ? parts[i].received : parts[i].sent);
        compare_parts(&(struct comparison){received ? ODD_RECEIVED : ODD_SENT, is_shared, -1}, parts, values, count,
                      odd);
    }
    free(parts);
    free(values);
}

/* Ranks that are none of those, and that the first of these talk with. */
static size_t find_hubs(const struct alike *alike, const struct part *parts, size_t count, int32_t *ret_hubs)
{
    size_t hubs = 0;
    for (size_t i = 0; i < count && i < LEAST_ALIKE; i++)
        for (size_t j = 0; j < parts[i].communicator->channel_count && j < MOST_PEERS; j++) {
            const int32_t peer = parts[i].communicator->channels[j].peer_world;
            bool is_new =
                peer >= 0 && !process_list_has_rank(alike->processes, alike->count, peer) && hubs < MOST_PEERS;
            for (size_t k = 0; k < hubs; k++)
                is_new = is_new && ret_hubs[k] != peer;
            if (is_new)
                ret_hubs[hubs++] = peer;
        }
    return hubs;
}

static void compare_on(const struct alike *alike, const struct communicator *like, struct odd_ones *odd)
{
    struct part *parts = allocate((alike->count + 1) * sizeof *parts);
    int64_t *values = allocate((alike->count + 1) * sizeof *values);
    int32_t hubs[MOST_PEERS];
    size_t count = 0;
    bool is_shared = true;
    for (size_t i = 0; i < alike->count; i++) {
        const struct communicator *theirs = communicator_counterpart(alike->processes[i], like);
        if (theirs == NULL)
            continue;
        is_shared = is_shared && theirs->id == like->id;
        values[count] = (int64_t)theirs->collective_calls;
        parts[count++] = (struct part){.process = alike->processes[i], .communicator = theirs};
    }
    if (count == alike->count) {
        compare_parts(&(struct comparison){ODD_CALLS, is_shared, -1}, parts, values, count, odd);
        const size_t hub_count = is_shared ? find_hubs(alike, parts, count, hubs) : 0;
        for (size_t i = 0; i < hub_count; i++)
            compare_answers(parts, values, count, hubs[i], odd);
        if (hub_count == 0)
            compare_totals(parts, count, is_shared, odd);
    }
    free(parts);
    free(values);
}

static int compare_odd(const void *left_one, const void *right_one)
{
    const struct odd_one *left = left_one;
    const struct odd_one *right = right_one;
    if (left->thing != right->thing)
        return (int)left->thing - (int)right->thing;
    return left->process->rank < right->process->rank ? -1 : left->process->rank > right->process->rank;
}

struct odd_ones odd_ones_find(const struct waits *waits, const struct cause *cause)
{
    struct odd_ones odd = {.count = 0};
    const struct thread *groups[MOST_GROUPS];
    size_t group_count = 0;
    for (size_t i = 0; i < cause->culprits.count && group_count < MOST_GROUPS; i++) {
        const struct process *process = job_index_process(&waits->index, cause->culprits.items[i]);
        const struct thread *thread = process != NULL ? find_first_blocked(process) : NULL;
        bool is_new = thread != NULL;
        for (size_t j = 0; j < group_count && is_new; j++)
            is_new = strcmp(groups[j]->function, thread->function) != 0 || !site_is_same(groups[j]->site, thread->site);
        if (!is_new)
            continue;
        groups[group_count++] = thread;
        struct alike alike = find_alike(waits->job, thread);
        for (size_t j = 0; alike.count >= LEAST_ALIKE && j < process->communicator_count && j < MOST_COMMUNICATORS; j++)
            compare_on(&alike, &process->communicators[j], &odd);
        free(alike.processes);
    }
    if (odd.count > 1)
        qsort(odd.items, odd.count, sizeof *odd.items, compare_odd);
    return odd;
}
