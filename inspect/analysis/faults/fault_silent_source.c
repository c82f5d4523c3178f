/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A source of neighborhood collectives that does not have the waiting rank among its destinations.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"

static bool recognize(const struct waits *waits, struct cause *cause)
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

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct process *process = cause_first_process(text->waits, cause);
    fprintf(stream, "rank %d %s and waits for rank %d, whose destinations in %s%s do not include it", process->rank,
            describe_doing(text, process), cause->silent->rank, find_label(text->labels, cause->communicator->id),
            describe_at(cause->communicator->site));
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    const int waiting = cause_first_process(text->waits, cause)->rank;
    return arena_text("have rank %d send to rank %d in the topology too, or do not have rank %d receive from it",
                      cause->silent->rank, waiting, waiting);
}

const struct fault fault_silent_source = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
