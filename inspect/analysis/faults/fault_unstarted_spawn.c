/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A spawned program that never calls MPI_Init.
 */
#include "analysis/faults/faults.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

static bool recognize(const struct waits *waits, struct cause *cause)
{
    if (waits->subjects[cause->nodes[0]].kind != SUBJECT_SPAWNED)
        return false;
    cause->kind = FINDING_NO_MATCH;
    for (size_t i = 0; i < cause->waiter_count; i++)
        cause_add_owner(waits, cause->waiters[i], cause, true);
    return true;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *waiter = &text->waits->subjects[cause->waiters[0]];
    const struct process *process = &text->waits->job->processes[waiter->process];
    const char *ranks = ranks_name(&cause->culprits);
    const char *call = describe_call_and_place(text, process, waiter->thread);
    fprintf(stream,
            "%s wait%s in %s for a spawned program to call MPI_Init: %s; it has loaded no MPI library and is sleeping",
            ranks, cause->culprits.count == 1 ? "s" : "", call, waiter->thread->spawned);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    (void)cause;
    return "spawn a program that calls MPI_Init";
}

const struct fault fault_unstarted_spawn = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = cause_add_idle,
};
