/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collects the ranks of a cause: groups of the dead that wait for each other, or for what will never come.
 */
#include "analysis/causes/causes.h"

#include <stdlib.h>

void cause_add_culprit(struct cause *cause, int rank)
{
    ranks_add(&cause->culprits, rank);
    ranks_add(&cause->ranks, rank);
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

static bool is_of_one_process(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_PROCESS || subject->kind == SUBJECT_THREAD || subject->kind == SUBJECT_POLL ||
           subject->kind == SUBJECT_OPERATION;
}

const struct process *cause_node_owner(const struct waits *waits, uint32_t node)
{
    const struct wait_subject *subject = &waits->subjects[node];
    return is_of_one_process(subject) ? &waits->job->processes[subject->process] : NULL;
}

bool cause_add_owner(const struct waits *waits, uint32_t node, struct cause *cause, bool as_culprit)
{
    const struct process *owner = cause_node_owner(waits, node);
    if (owner != NULL && as_culprit)
        cause_add_culprit(cause, owner->rank);
    else if (owner != NULL)
        ranks_add(&cause->ranks, owner->rank);
    return owner != NULL;
}

const struct process *cause_only_culprit(const struct waits *waits, const struct cause *cause)
{
    return cause->culprits.count == 1 ? job_index_process(&waits->index, cause->culprits.items[0]) : NULL;
}
