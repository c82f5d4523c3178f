/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the fault behind a cause, asking the most telling one first.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

/* Of ranks that wait for each other, or for what cannot come. */
static const struct fault *const faults_of_waits[] = {
    &fault_out_of_step,      &fault_collective_mismatch,
    &fault_unequal_amounts,  &fault_fewer_calls,
    &fault_leaders,          &fault_group,
    &fault_other_roots,      &fault_silent_source,
    &fault_lost_message,     &fault_misdirected_message,
    &fault_tag_gap,          &fault_near_miss,
    &fault_skipped_message,  &fault_stolen_message,
    &fault_earlier_mismatch, &fault_parted,
    &fault_window_wait,      &fault_collective_missing,
    &fault_own_wait,         &fault_deadlock,
};

/* Of ranks that wait for a process that is gone, or for one that was spawned. */
static const struct fault *const faults_of_gone[] = {
    &fault_start_up,       &fault_unstarted_spawn,     &fault_near_receive,        &fault_left_over_send,
    &fault_lost_message,   &fault_misdirected_message, &fault_near_miss,           &fault_skipped_message,
    &fault_stolen_message, &fault_out_of_step,         &fault_collective_mismatch, &fault_unequal_amounts,
    &fault_leaders,        &fault_other_roots,         &fault_earlier_mismatch,    &fault_collective_missing,
    &fault_window_wait,    &fault_gone_rank,
};

/* The last fault of each table is what remains, and recognises every cause. */
static void take_fault(const struct waits *waits, const struct fault *const *faults, struct cause *cause)
{
    do
        cause->fault = *faults++;
    while (!cause->fault->recognize(waits, cause));
}

static bool is_gone(const struct waits *waits, uint32_t node)
{
    const enum wait_subject_kind kind = waits->subjects[node].kind;
    return kind == SUBJECT_PROCESS || kind == SUBJECT_SPAWNED;
}

void cause_find(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told, uint32_t component,
                struct cause *ret_cause)
{
    const struct wait_component *self = &waits->graph.components[component];
    const uint32_t node = waits->graph.by_component[self->first];
    struct cause cause = {.component = component};
    if (self->is_cyclic) {
        wait_graph_find_knot(&waits->graph, component, &cause.nodes, &cause.node_count);
    } else {
        cause.node_count = 1;
        cause.nodes = allocate(sizeof *cause.nodes);
        cause.nodes[0] = node;
    }
    if (!self->is_cyclic && is_gone(waits, node)) {
        cause_find_waiters(waits, waiters, is_told, &cause);
        take_fault(waits, faults_of_gone, &cause);
    } else {
        take_fault(waits, faults_of_waits, &cause);
    }
    ranks_finish(&cause.ranks);
    ranks_finish(&cause.culprits);
    *ret_cause = cause;
}
