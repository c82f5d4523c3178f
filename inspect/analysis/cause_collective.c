/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes that are about collective calls: members that disagree, members that have not come.
 */
#include "analysis/cause.h"
#include "analysis/known_rounds.h"
#include "analysis/round_classes.h"
#include "base/allocation.h"

#include <stdlib.h>

/* Calls of a communicator before the one that is waited in, that are looked at, too: who took a wrong turn there may be
 * one call ahead. */
enum { EARLIER_ROUNDS = 8 };

static const struct known_round *find_round(const struct waits *waits, const struct wait_subject *meeting,
                                            uint64_t serial)
{
    const struct job_member one = {.communicator = meeting->communicator, .object = meeting->object};
    return known_round_find(waits->rounds, &waits->index, &one, serial);
}

static bool find_difference(const struct waits *waits, const struct wait_subject *meeting,
                            struct collective_round *ret_round)
{
    const uint64_t first = meeting->serial > EARLIER_ROUNDS ? meeting->serial - EARLIER_ROUNDS : 1;
    for (uint64_t i = first; i <= meeting->serial; i++) {
        const struct collective_round *round = &find_round(waits, meeting, i)->round;
        if (round->difference == ROUND_ALIKE ||
            (round->difference == ROUND_OTHER_SIZE && collective_round_is_over(round)))
            continue;
        *ret_round = *round;
        return true;
    }
    return false;
}

/* The odd ones out are to blame; where nobody is, all are that differ. */
static void blame_odd_ones(struct cause *cause)
{
    struct round_classes classes = round_classes_find(&cause->round);
    const bool has_usual = round_classes_have_usual(&classes);
    for (size_t i = 0; i < classes.count; i++) {
        ranks_add_all(&cause->ranks, &classes.items[i].ranks);
        if (i > 0 || !has_usual)
            ranks_add_all(&cause->culprits, &classes.items[i].ranks);
    }
    ranks_add_all(&cause->ranks, &classes.others);
    round_classes_clear(&classes);
}

bool cause_try_collective_mismatch(const struct waits *waits, struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind != SUBJECT_COLLECTIVE || !find_difference(waits, subject, &cause->round))
            continue;
        cause->kind = FINDING_COLLECTIVE_MISMATCH;
        cause->has_round = true;
        cause->communicator = subject->communicator;
        blame_odd_ones(cause);
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

/* Who has begun a call in which not all wait for all may have ended it, and is no part of what others wait for there.
 */
static bool has_arrived(const struct job_member *member, const struct wait_subject *meeting)
{
    const struct collective_call *call = collective_round_call(member, meeting->serial);
    return collective_round_has_begun(member, meeting->serial) &&
           (!(meeting->is_exchange || meeting->is_of_some) || (call != NULL && call->active));
}

static size_t count_begun(const struct waits *waits, const struct wait_subject *meeting)
{
    return find_round(waits, meeting, meeting->serial)->begun_count;
}

static size_t count_arrived(const struct waits *waits, const struct wait_subject *meeting)
{
    const struct job_members members = find_round(waits, meeting, meeting->serial)->round.members;
    size_t count = 0;
    for (size_t i = 0; i < members.count; i++)
        count += has_arrived(&members.items[i], meeting);
    return count;
}

bool cause_waits_for_fence(const struct waits *waits, const struct wait_subject *subject)
{
    if (subject->kind != SUBJECT_COLLECTIVE || subject->object == NULL || subject->object->window == NULL)
        return false;
    const struct job_members members = find_round(waits, subject, subject->serial)->round.members;
    for (size_t i = 0; i < members.count; i++) {
        const struct collective_call *call = collective_round_call(&members.items[i], subject->serial);
        if (call != NULL)
            return call->purpose == MPILENS_PURPOSE_WINDOW_FENCE;
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
        if (best == NO_NODE || count_begun(waits, subject) > count_begun(waits, &waits->subjects[best]))
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

/* Many calls end at some members before all have come: those wait there no more. */
static bool has_left(const struct job_member *member, const struct wait_subject *meeting)
{
    const struct collective_call *call = collective_round_call(member, meeting->serial);
    return call != NULL ? !call->active : process_is_gone(member->process);
}

/* Adds the members that are in the collective call. */
static void add_arrived(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    const struct job_members members = find_round(waits, meeting, meeting->serial)->round.members;
    for (size_t i = 0; i < members.count; i++)
        if (has_arrived(&members.items[i], meeting) && !has_left(&members.items[i], meeting))
            ranks_add(&cause->ranks, members.items[i].process->rank);
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

static void add_missing(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        if (waits->graph.nodes[next].dead && waits->subjects[next].kind == SUBJECT_PROCESS)
            cause_add_culprit(cause, waits->job->processes[waits->subjects[next].process].rank);
    }
}

/* Ranks that wait in the call, and as culprits those that have not come to it: of members that are gone all at once. */
static void add_meeting(const struct waits *waits, uint32_t node, bool gone, struct cause *cause)
{
    const struct wait_subject *meeting = &waits->subjects[node];
    if (!gone)
        add_missing(waits, node, cause);
    for (uint32_t i = find_round(waits, meeting, meeting->serial)->last_node; gone && i != NO_NODE;
         i = waits->subjects[i].other_of_round)
        if (waits->graph.nodes[i].dead)
            add_missing(waits, i, cause);
    add_arrived(waits, meeting, cause);
}

void cause_tell_meeting(const struct waits *waits, const struct cause *cause, bool *is_told)
{
    if (cause->meeting == NO_NODE)
        return;
    is_told[cause->meeting] = true;
    const struct wait_subject *meeting = &waits->subjects[cause->meeting];
    for (uint32_t i = find_round(waits, meeting, meeting->serial)->last_node; cause->waiter_count > 0 && i != NO_NODE;
         i = waits->subjects[i].other_of_round)
        is_told[i] = true;
}

bool cause_try_collective_missing(const struct waits *waits, struct cause *cause)
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
    cause->round = find_round(waits, meeting, meeting->serial)->round;
    add_meeting(waits, node, gone, cause);
    return true;
}
