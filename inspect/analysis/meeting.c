/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds collective calls that some members have not reached.
 */
#include "analysis/meeting.h"

#include "analysis/blocked.h"
#include "analysis/known_rounds.h"
#include "model/process_index.h"

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
