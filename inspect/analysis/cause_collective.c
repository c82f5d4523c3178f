/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes that are about collective calls: members that disagree, members that have not come.
 */
#include "allocation.h"
#include "cause.h"

#include <stdlib.h>
#include <string.h>

/* Calls of a communicator before the one that is waited in, that are looked at, too: who took a wrong turn there may be
 * one call ahead. */
enum { EARLIER_ROUNDS = 8 };

static struct collective_round find_round(const struct waits *waits, const struct wait_subject *meeting,
                                          uint64_t serial)
{
    const struct job_member one = {.communicator = meeting->communicator, .object = meeting->object};
    return collective_round_find(&waits->index, &one, serial);
}

static bool find_difference(const struct waits *waits, const struct wait_subject *meeting,
                            struct collective_round *ret_round)
{
    const uint64_t first = meeting->serial > EARLIER_ROUNDS ? meeting->serial - EARLIER_ROUNDS : 1;
    for (uint64_t i = first; i <= meeting->serial; i++) {
        const struct collective_round round = find_round(waits, meeting, i);
        if (round.difference == ROUND_ALIKE ||
            (round.difference == ROUND_OTHER_SIZE && collective_round_is_over(&round)))
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

/* The minority is to blame; of equals all are, but for those of whom it is not known what they gave. */
static void blame_minority(struct cause *cause)
{
    const struct collective_round *round = &cause->round;
    const struct collective_call *one = collective_round_call(round->one, round->serial);
    const struct collective_call *other = collective_round_call(round->other, round->serial);
    const size_t like_one = count_alike(round, one), like_other = count_alike(round, other);
    const struct collective_call *usual = like_one >= like_other ? one : other;
    const struct collective_call *unusual = like_one >= like_other ? other : one;
    for (size_t i = 0; i < round->members.count; i++) {
        const struct job_member *member = &round->members.items[i];
        const struct collective_call *call = collective_round_call(member, round->serial);
        if (call == NULL)
            continue;
        if (collective_calls_differ(usual, call, round->difference) ||
            (like_one == like_other && collective_calls_differ(unusual, call, round->difference)))
            cause_add_culprit(cause, member->process->rank);
        else
            cause_add_rank(cause, member->process->rank);
    }
}

bool cause_is_collective_mismatch(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE || !find_difference(waits, subject, &cause->round))
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

/* Who has begun a neighborhood collective may have ended it, and is no part of what others wait for there. */
static bool has_arrived(const struct job_member *member, const struct wait_subject *meeting)
{
    const struct collective_call *call = collective_round_call(member, meeting->serial);
    return collective_round_has_begun(member, meeting->serial) &&
           (!meeting->is_exchange || (call != NULL && call->active));
}

static size_t count_arrived(const struct waits *waits, const struct wait_subject *meeting)
{
    const struct collective_round round = find_round(waits, meeting, meeting->serial);
    size_t count = 0;
    for (size_t i = 0; i < round.members.count; i++)
        count += has_arrived(&round.members.items[i], meeting);
    return count;
}

bool cause_waits_for_fence(const struct waits *waits, const struct wait_subject *subject)
{
    if (subject->kind != SUBJECT_COLLECTIVE || subject->object == NULL || subject->object->window == NULL)
        return false;
    const struct collective_round round = find_round(waits, subject, subject->serial);
    for (size_t i = 0; i < round.members.count; i++) {
        const struct collective_call *call = collective_round_call(&round.members.items[i], subject->serial);
        if (call != NULL)
            return strcmp(call->function, "MPI_Win_fence") == 0;
    }
    return false;
}

/* The call that the most members have come to, of those that the cause is about. */
static uint32_t find_meeting(const struct waits *waits, const struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    uint32_t best = NO_NODE;
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE || !waits->graph.nodes[nodes[i]].dead ||
            cause_waits_for_fence(waits, subject))
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
        if (wait_subject_is_message(&waits->subjects[cause->nodes[i]]))
            return false;
    return true;
}

/* Adds the members that have begun the collective call. */
static void add_arrived(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    const struct collective_round round = find_round(waits, meeting, meeting->serial);
    for (size_t i = 0; i < round.members.count; i++)
        if (has_arrived(&round.members.items[i], meeting))
            cause_add_rank(cause, round.members.items[i].process->rank);
}

void cause_add_awaited(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    if (waits->subjects[node].kind == SUBJECT_COLLECTIVE)
        add_arrived(waits, &waits->subjects[node], cause);
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const struct wait_subject *subject = &waits->subjects[next];
        if (!waits->graph.nodes[next].dead)
            continue;
        if (subject->kind == SUBJECT_PROCESS)
            cause_add_culprit(cause, waits->job->processes[subject->process].rank);
        else if (subject->kind == SUBJECT_COLLECTIVE)
            cause_add_awaited(waits, next, cause);
    }
}

/* Ranks that wait in the call, and as culprits those that have not come to it. */
static void add_meeting(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        if (waits->graph.nodes[next].dead && waits->subjects[next].kind == SUBJECT_PROCESS)
            cause_add_culprit(cause, waits->job->processes[waits->subjects[next].process].rank);
    }
    add_arrived(waits, &waits->subjects[node], cause);
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
    cause->has_round = true;
    cause->round = find_round(waits, meeting, meeting->serial);
    add_meeting(waits, node, cause);
    return true;
}
