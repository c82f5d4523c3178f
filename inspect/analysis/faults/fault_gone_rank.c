/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that have ended, or are in MPI_Finalize, while others wait for them.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

/* Adds the processes that are gone of those that the node waits for: all, or where `ended` only those that have ended.
 * Returns how many. */
static size_t add_gone(const struct waits *waits, uint32_t node, bool ended, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    size_t count = 0;
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const struct wait_subject *subject = &waits->subjects[next];
        if (subject->kind != SUBJECT_PROCESS) {
            count += wait_subject_is_part(subject) || subject->kind == SUBJECT_MEMBERS
                         ? add_gone(waits, next, ended, cause)
                         : 0;
            continue;
        }
        const struct process *process = &waits->job->processes[subject->process];
        if (ended ? process->state != PROCESS_EXITED : !process_is_gone(process))
            continue;
        cause_add_culprit(cause, process->rank);
        count++;
    }
    return count;
}

static void add_ranks(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->crowd_count; i++)
        if (add_gone(waits, cause->crowds[i], true, cause) == 0)
            add_gone(waits, cause->crowds[i], false, cause);
    if (cause->is_waited_for_alone || cause->crowd_count == 0)
        cause_add_owner(waits, cause->nodes[0], cause, true);
    /* Names ranks in MPI_Finalize only if no rank waits elsewhere. */
    for (int ends = 0, found = 0; ends < 2 && found == 0; ends++)
        for (size_t i = 0; i < cause->waiter_count; i++)
            if (waits->graph.nodes[cause->waiters[i]].dead &&
                cause_is_end(&waits->subjects[cause->waiters[i]]) == (ends == 1))
                found += cause_add_owner(waits, cause->waiters[i], cause, false);
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    cause->kind = FINDING_WAITING_FOR_RANK;
    cause_note_stray(waits, cause);
    if (cause->noted.stray == NULL)
        cause_note_unreceived(waits, cause);
    add_ranks(waits, cause);
    return true;
}

static const char *advise_on_end(const struct waits *waits, const struct cause *cause)
{
    const struct process *culprit = cause_only_culprit(waits, cause);
    if (culprit == NULL || !process_is_gone(culprit))
        return NULL;
    if (culprit->state == PROCESS_EXITED)
        return advise_on_exit(culprit);
    bool is_receive = false, is_send = false;
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->waiters[i]];
        if (!waits->graph.nodes[cause->waiters[i]].dead || !wait_subject_is_message(subject))
            continue;
        const bool is_probe = subject->kind != SUBJECT_OPERATION;
        is_send = is_send || (!is_probe && (subject->operation->flags & MPILENS_OPERATION_SEND) != 0);
        is_receive = is_receive || is_probe || (subject->operation->flags & MPILENS_OPERATION_RECEIVE) != 0;
    }
    if (is_receive == is_send)
        return NULL;
    return arena_text("have rank %d %s once more before MPI_Finalize, or %s once less on the other side: loop counts "
                      "or conditions disagree",
                      culprit->rank, is_receive ? "send" : "receive", is_receive ? "receive" : "send");
}

/* Advises members of a group that never came to make a communicator of it. NULL: that is not what is waited for. */
static const char *advise_on_group(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct thread *call = group_call_at(&waits->subjects[cause->waiters[i]]);
        if (call == NULL)
            continue;
        const char *culprits = ranks_name(&cause->culprits);
        return arena_text("call %s on %s as well, with the same group and tag, or make the group without %s",
                          call->function, culprits, cause->culprits.count == 1 ? "it" : "them");
    }
    return NULL;
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    const char *remedy = advise_on_noted(text->waits, cause);
    if (remedy == NULL)
        remedy = advise_on_group(text->waits, cause);
    return remedy != NULL ? remedy : advise_on_end(text->waits, cause);
}

const struct fault fault_gone_rank = {
    .recognize = recognize,
    .describe = write_waiting_sentence,
    .advise = advise,
    .add_evidence = cause_add_all,
};
