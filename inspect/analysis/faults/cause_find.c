/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the fault behind a cause, asking the most telling one first.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

static const struct fault *const faults_of_waits[] = {
#define FAULT_OF_WAITS(name) &fault_##name,
#define FAULT_OF_GONE(name)
#include "analysis/faults/faults.def"
};

static const struct fault *const faults_of_gone[] = {
#define FAULT_OF_WAITS(name)
#define FAULT_OF_GONE(name) &fault_##name,
#include "analysis/faults/faults.def"
};

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
        cause.nodes = arena_allocate(sizeof *cause.nodes);
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
