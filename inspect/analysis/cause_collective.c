/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes that are about collective calls: members that disagree, members that have not come.
 */
#include "allocation.h"
#include "cause.h"

#include <stdlib.h>

/* Calls of a communicator before the one that is waited in, that are looked at, too: who took a wrong turn there may be
 * one call ahead. */
enum { EARLIER_ROUNDS = 8 };

static bool find_difference(const struct waits *waits, uint64_t communicator, uint64_t serial,
                            struct collective_round *ret_round)
{
    const uint64_t first = serial > EARLIER_ROUNDS ? serial - EARLIER_ROUNDS : 1;
    for (uint64_t i = first; i <= serial; i++) {
        const struct collective_round round = collective_round_find(&waits->index, communicator, i);
        if (round.difference == ROUND_ALIKE)
            continue;
        *ret_round = round;
        return true;
    }
    return false;
}

/* How many members have made a call that does not differ from this one. */
static size_t count_alike(const struct collective_round *round, const struct collective_call *call)
{
    size_t count = 0;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct collective_call *other = collective_round_call(&round->members.items[i], round->serial);
        count += other != NULL && !collective_calls_differ(call, other, round->difference);
    }
    return count;
}

/* The minority is to blame; of equals all are. */
static void blame_minority(struct cause *cause)
{
    const struct collective_round *round = &cause->round;
    const struct collective_call *one = collective_round_call(round->one, round->serial);
    const struct collective_call *other = collective_round_call(round->other, round->serial);
    const size_t like_one = count_alike(round, one), like_other = count_alike(round, other);
    const struct collective_call *usual = like_one >= like_other ? one : other;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (call == NULL)
            continue;
        if (like_one == like_other || collective_calls_differ(usual, call, round->difference))
            cause_add_culprit(cause, member->process->rank);
        else
            cause_add_rank(cause, member->process->rank);
    }
}

bool cause_is_collective_mismatch(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE ||
            !find_difference(waits, subject->communicator->id, subject->serial, &cause->round))
            continue;
        cause->kind = FINDING_COLLECTIVE_MISMATCH;
        cause->has_round = true;
        cause->communicator = subject->communicator;
        blame_minority(cause);
        return true;
    }
    return false;
}

/* The processes that the node, a collective call, waits for. */
static size_t count_missing(const struct waits *waits, uint32_t node)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    size_t count = 0;
    for (uint32_t i = 0; i < self->edge_count; i++)
        count += waits->graph.nodes[waits->graph.successors[self->first_edge + i]].dead;
    return count;
}

static bool is_meeting(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_COLLECTIVE || subject->kind == SUBJECT_CALL;
}

static size_t count_arrived(const struct waits *waits, const struct wait_subject *meeting)
{
    const struct job_members members = job_index_members(&waits->index, meeting->communicator->id);
    size_t count = 0;
    for (size_t i = 0; i < members.count; i++)
        count += meeting->kind == SUBJECT_COLLECTIVE
                     ? collective_round_has_begun(&members.items[i], meeting->serial)
                     : members.items[i].communicator->constructor_count >= meeting->serial;
    return count;
}

/* The call that the most members have come to, of those that the cause is about. */
static uint32_t find_meeting(const struct waits *waits, const struct cause *cause)
{
    const bool gone = cause->waiter_count > 0;
    const uint32_t *nodes = gone ? cause->waiters : cause->nodes;
    const size_t count = gone ? cause->waiter_count : cause->node_count;
    uint32_t best = NO_NODE;
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (!is_meeting(subject) || !waits->graph.nodes[nodes[i]].dead)
            continue;
        if (subject->communicator == NULL)
            continue;
        if (best == NO_NODE || count_arrived(waits, subject) > count_arrived(waits, &waits->subjects[best]))
            best = nodes[i];
    }
    return best;
}

/* Whether every wait of a cycle is for members to come to a call. */
static bool is_of_meetings(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++)
        if (waits->subjects[cause->nodes[i]].kind == SUBJECT_OPERATION &&
            waits->subjects[cause->nodes[i]].operation != NULL)
            return false;
    return true;
}

/* Ranks that wait in the call, and as culprits those that have not come to it. */
static void add_meeting(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_subject *meeting = &waits->subjects[node];
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        if (waits->graph.nodes[next].dead && waits->subjects[next].kind == SUBJECT_PROCESS)
            cause_add_culprit(cause, waits->job->processes[waits->subjects[next].process].rank);
    }
    const struct job_members members = job_index_members(&waits->index, meeting->communicator->id);
    for (size_t i = 0; i < members.count; i++)
        if (meeting->kind != SUBJECT_COLLECTIVE || collective_round_has_begun(&members.items[i], meeting->serial))
            cause_add_rank(cause, members.items[i].process->rank);
}

bool cause_is_collective_missing(const struct waits *waits, struct cause *cause)
{
    const bool gone = cause->waiter_count > 0;
    const uint32_t node = find_meeting(waits, cause);
    if (node == NO_NODE || (!gone && !is_of_meetings(waits, cause)))
        return false;
    const struct wait_subject *meeting = &waits->subjects[node];
    if (!gone && count_missing(waits, node) >= count_arrived(waits, meeting))
        return false;
    cause->kind = FINDING_COLLECTIVE_MISSING;
    cause->meeting = node;
    cause->communicator = meeting->communicator;
    if (meeting->kind == SUBJECT_COLLECTIVE) {
        cause->has_round = true;
        cause->round = collective_round_find(&waits->index, meeting->communicator->id, meeting->serial);
    }
    add_meeting(waits, node, cause);
    return true;
}
