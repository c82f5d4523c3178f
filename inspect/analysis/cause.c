/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which kind of finding a cause is, the most telling one first: members that disagree about a collective call, a
 * message that was lost, one that nearly fits, one that was not sent, a rank that is gone, a lock or epoch, a message
 * that another receive took, members that have not come, a cycle.
 */
#include "analysis/cause.h"

#include "base/allocation.h"

#include <stdlib.h>

void cause_add_culprit(struct cause *cause, int rank)
{
    ranks_add(&cause->culprits, rank);
    ranks_add(&cause->ranks, rank);
}

void cause_clear(struct cause *cause)
{
    free(cause->nodes);
    free(cause->waiters);
    free(cause->crowds);
    ranks_clear(&cause->ranks);
    ranks_clear(&cause->culprits);
    *cause = (struct cause){.node_count = 0};
}

const uint32_t *cause_waiting_nodes(const struct cause *cause, size_t *ret_count)
{
    const bool gone = cause->waiter_count > 0;
    *ret_count = gone ? cause->waiter_count : cause->node_count;
    return gone ? cause->waiters : cause->nodes;
}

const struct process *cause_first_process(const struct waits *waits, const struct cause *cause)
{
    return &waits->job->processes[waits->subjects[cause->nodes[0]].process];
}

static bool is_window_call(const struct waits *waits, const struct wait_subject *subject)
{
    const struct thread *call = wait_subject_call(subject);
    if (call != NULL)
        return call->call_class == MPILENS_CALL_SYNCHRONIZATION || call->call_class == MPILENS_CALL_ONE_SIDED;
    return cause_waits_for_fence(waits, subject);
}

/* Whether the call (NULL: a fence) waits for what others begin or end, not for a lock. */
static bool is_for_epoch(const struct thread *call)
{
    return call == NULL || call->purpose == MPILENS_PURPOSE_WINDOW_FENCE ||
           call->purpose == MPILENS_PURPOSE_WINDOW_START || call->purpose == MPILENS_PURPOSE_WINDOW_COMPLETE ||
           call->purpose == MPILENS_PURPOSE_WINDOW_WAIT;
}

/* Whether all that wait are waited for, too. */
static bool all_are_culprits(const struct cause *cause)
{
    return cause->ranks.count == cause->culprits.count && cause->ranks.count > 1;
}

bool cause_try_window_wait(const struct waits *waits, struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (!is_window_call(waits, subject) || !waits->graph.nodes[nodes[i]].dead)
            continue;
        const struct thread *call = wait_subject_call(subject);
        if (!found || !is_for_epoch(call))
            cause->kind = is_for_epoch(call) ? FINDING_WINDOW_WAIT : FINDING_LOCK_WAIT;
        if (call != NULL)
            ranks_add(&cause->ranks, waits->job->processes[subject->process].rank);
        cause_add_awaited(waits, nodes[i], cause);
        found = true;
    }
    ranks_finish(&cause->ranks);
    ranks_finish(&cause->culprits);
    if (found && all_are_culprits(cause))
        cause->kind = FINDING_DEADLOCK;
    return found;
}

static bool is_of_one_process(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_PROCESS || subject->kind == SUBJECT_THREAD || subject->kind == SUBJECT_POLL ||
           subject->kind == SUBJECT_OPERATION;
}

bool cause_add_owner(const struct waits *waits, uint32_t node, struct cause *cause, bool as_culprit)
{
    const struct wait_subject *subject = &waits->subjects[node];
    if (!is_of_one_process(subject))
        return false;
    const int rank = waits->job->processes[subject->process].rank;
    if (as_culprit)
        cause_add_culprit(cause, rank);
    else
        ranks_add(&cause->ranks, rank);
    return true;
}

static void classify_alone_or_cycle(const struct waits *waits, struct cause *cause)
{
    int first = -1;
    bool several = false;
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (!is_of_one_process(subject))
            continue;
        const int rank = waits->job->processes[subject->process].rank;
        several = several || (first >= 0 && rank != first);
        first = rank;
        cause_add_owner(waits, cause->nodes[i], cause, true);
    }
    cause->kind = several ? FINDING_DEADLOCK : FINDING_NO_MATCH;
}

static void classify_spawned(const struct waits *waits, struct cause *cause)
{
    cause->kind = FINDING_NO_MATCH;
    for (size_t i = 0; i < cause->waiter_count; i++)
        cause_add_owner(waits, cause->waiters[i], cause, true);
}

static bool try_one_sided_edge(const struct waits *waits, struct cause *cause)
{
    const struct wait_subject *subject = &waits->subjects[cause->nodes[0]];
    if (!subject->is_exchange || waits->graph.nodes[cause->nodes[0]].mode != WAITS_IN_VAIN)
        return false;
    const struct process *process = cause_first_process(waits, cause);
    const struct job_member member = {.process = process, .communicator = subject->communicator};
    cause->silent = job_index_process(&waits->index, waits_find_silent_source(waits, &member));
    if (cause->silent == NULL)
        return false;
    cause->kind = FINDING_NO_MATCH;
    cause->communicator = subject->communicator;
    cause_add_culprit(cause, process->rank);
    cause_add_culprit(cause, cause->silent->rank);
    return true;
}

static void classify_cycle(const struct waits *waits, struct cause *cause)
{
    if (cause_try_collective_mismatch(waits, cause) || try_one_sided_edge(waits, cause) ||
        cause_try_lost_message(waits, cause) || cause_try_near_miss(waits, cause) ||
        cause_try_skipped_message(waits, cause) || cause_try_window_wait(waits, cause) ||
        cause_try_stolen_message(waits, cause) || cause_try_collective_missing(waits, cause))
        return;
    if (!cause_note_other_source(waits, cause))
        cause_note_stray(waits, cause);
    classify_alone_or_cycle(waits, cause);
}

/* Of one node that waits for what cannot come. */
static void classify_single(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told,
                            struct cause *cause)
{
    const enum wait_subject_kind kind = waits->subjects[cause->nodes[0]].kind;
    if (kind != SUBJECT_PROCESS && kind != SUBJECT_SPAWNED) {
        classify_cycle(waits, cause);
        return;
    }
    cause_find_waiters(waits, waiters, is_told, cause);
    if (kind == SUBJECT_SPAWNED)
        classify_spawned(waits, cause);
    else
        cause_classify_gone(waits, cause);
}

void cause_find(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told, uint32_t component,
                struct cause *ret_cause)
{
    const struct wait_component *self = &waits->graph.components[component];
    struct cause cause = {.component = component, .meeting = NO_NODE, .left_over = NO_NODE};
    if (self->is_cyclic) {
        wait_graph_find_knot(&waits->graph, component, &cause.nodes, &cause.node_count);
        classify_cycle(waits, &cause);
    } else {
        cause.node_count = 1;
        cause.nodes = allocate(sizeof *cause.nodes);
        cause.nodes[0] = waits->graph.by_component[self->first];
        classify_single(waits, waiters, is_told, &cause);
    }
    ranks_finish(&cause.ranks);
    ranks_finish(&cause.culprits);
    *ret_cause = cause;
}
