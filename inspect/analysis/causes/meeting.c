/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds collective calls that some members have not reached.
 */
#include "analysis/causes/causes.h"

#include "analysis/calls/calls.h"
#include "analysis/graph/graph.h"
#include "model/model.h"

#include <string.h>

const struct known_round *meeting_find_round(const struct waits *waits, const struct wait_subject *meeting,
                                             uint64_t serial)
{
    const struct job_member one = {.communicator = meeting->communicator, .object = meeting->object};
    return known_round_find(waits->rounds, &waits->index, &one, serial);
}

bool meeting_has_member(const struct job_member *member, const struct wait_subject *meeting)
{
    const struct collective_call *call = collective_round_call(member, meeting->serial);
    return collective_round_has_begun(member, meeting->serial) &&
           (!(meeting->is_exchange || meeting->is_of_some) || (call != NULL && call->active));
}

bool meeting_is_fence(const struct waits *waits, const struct wait_subject *subject)
{
    if (subject->kind != SUBJECT_COLLECTIVE || subject->object == NULL || subject->object->window == NULL)
        return false;
    const struct job_members members = meeting_find_round(waits, subject, subject->serial)->round.members;
    for (size_t i = 0; i < members.count; i++) {
        const struct collective_call *call = collective_round_call(&members.items[i], subject->serial);
        if (call != NULL)
            return call->purpose == MPILENS_PURPOSE_WINDOW_FENCE;
    }
    return false;
}

/* Many calls end at some members before all have come: those wait there no more. */
static bool has_left(const struct job_member *member, const struct wait_subject *meeting)
{
    const struct collective_call *call = collective_round_call(member, meeting->serial);
    return call != NULL ? !call->active : process_is_gone(member->process);
}

bool meeting_is_over_for(const struct communicator *communicator, const struct process *member)
{
    if (communicator == NULL || !process_is_gone(member) || member->state == PROCESS_EXITED || member->lacks_tables ||
        member->untracked_objects > 0)
        return false;
    const struct communicator *theirs = find_communicator(member, communicator->id);
    return theirs == NULL || theirs->freed;
}

/* The order of two things in one tick of the clock is not known: `or_then` counts them. */
static bool has_newer(const struct operations *operations, uint64_t ticks, bool or_then)
{
    for (size_t i = 0; i < operations->count; i++)
        if (or_then ? operations->items[i].posted >= ticks : operations->items[i].posted > ticks)
            return true;
    return false;
}

static bool has_exchanged_since(const struct process *process, uint64_t ticks, bool or_then)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        if (has_newer(&communicator->sends, ticks, or_then) || has_newer(&communicator->receives, ticks, or_then) ||
            has_newer(&communicator->completed, ticks, or_then))
            return true;
    }
    return false;
}

bool meeting_is_repeated_by(const struct waits *waits, const struct wait_subject *meeting,
                            const struct process *process)
{
    const struct known_round *known = meeting_find_round(waits, meeting, meeting->serial);
    const struct job_member *self = job_members_find(&known->round.members, process->rank);
    const struct collective_call *last = self != NULL ? collective_round_call(self, meeting->serial) : NULL;
    const struct collective_call *before = last != NULL ? collective_round_call(self, meeting->serial - 1) : NULL;
    size_t there = 0;
    if (before == NULL || known->begun_count != 1 || known->round.members.count < 3 || before->entered == 0 ||
        strcmp(last->function, before->function) != 0 || has_exchanged_since(process, before->entered, true))
        return false;
    for (size_t i = 0; i < known->round.members.count; i++) {
        const struct job_member *member = &known->round.members.items[i];
        const struct collective_call *theirs = collective_round_call(member, before->serial);
        if (member == self)
            continue;
        if (theirs == NULL || !has_exchanged_since(member->process, theirs->entered, false))
            return false;
        there += site_is_same(theirs->site, last->site);
    }
    return there * 2 >= known->round.members.count - 1;
}

const struct freed_object *meeting_find_freed(const struct wait_subject *meeting, const struct process *process)
{
    if (meeting->object != NULL)
        return find_freed_object(process, meeting->object->kind, shared_object_id(meeting->object));
    return meeting->communicator != NULL
               ? find_freed_object(process, MPILENS_OBJECT_COMMUNICATOR, meeting->communicator->id)
               : NULL;
}

void meeting_add_arrived(const struct waits *waits, const struct wait_subject *meeting, struct cause *cause)
{
    const struct job_members members = meeting_find_round(waits, meeting, meeting->serial)->round.members;
    for (size_t i = 0; i < members.count; i++)
        if (meeting_has_member(&members.items[i], meeting) && !has_left(&members.items[i], meeting))
            ranks_add(&cause->ranks, members.items[i].process->rank);
}

void meeting_add_awaited(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    if (waits->subjects[node].kind == SUBJECT_COLLECTIVE)
        meeting_add_arrived(waits, &waits->subjects[node], cause);
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const struct wait_subject *subject = &waits->subjects[next];
        if (!waits->graph.nodes[next].dead)
            continue;
        if (subject->kind == SUBJECT_PROCESS)
            cause_add_culprit(cause, waits->job->processes[subject->process].rank);
        else if (subject->kind == SUBJECT_COLLECTIVE)
            meeting_add_awaited(waits, next, cause);
    }
}

void meeting_tell(const struct waits *waits, const struct cause *cause, bool *is_told)
{
    if (cause->kind != FINDING_COLLECTIVE_MISSING)
        return;
    is_told[cause->meeting] = true;
    const struct wait_subject *meeting = &waits->subjects[cause->meeting];
    for (uint32_t i = meeting_find_round(waits, meeting, meeting->serial)->last_node;
         cause->waiter_count > 0 && i != NO_NODE; i = waits->subjects[i].other_of_round)
        is_told[i] = true;
}
