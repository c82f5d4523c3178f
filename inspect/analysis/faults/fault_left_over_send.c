/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A send that nobody receives, while its sender waits in MPI_Finalize.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"
#include "words/words.h"

/* Sends that nobody receives and that those who wait in MPI_Finalize, like their receiver, have not ended before. */
static bool recognize(const struct waits *waits, struct cause *cause)
{
    uint32_t first = NO_NODE;
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->waiters[i]];
        if (subject->kind != SUBJECT_OPERATION || !process_is_gone(&waits->job->processes[subject->process]))
            continue;
        if (first == NO_NODE)
            first = cause->waiters[i];
        cause_add_owner(waits, cause->waiters[i], cause, true);
    }
    if (first == NO_NODE)
        return false;
    cause->left_over = first;
    cause->kind = FINDING_NO_MATCH;
    cause_add_owner(waits, cause->nodes[0], cause, true);
    return true;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->left_over];
    const struct process *sender = &text->waits->job->processes[subject->process];
    const struct process *receiver = &text->waits->job->processes[text->waits->subjects[cause->nodes[0]].process];
    const char *send = describe_operation(subject->operation, subject->communicator, text->labels);
    const char *at = describe_at(subject->operation->details->site);
    const char *doing = describe_doing(text, sender);
    const char *end = receiver == sender ? "has sent it to itself" : describe_doing(text, receiver);
    fprintf(stream, "rank %d %s with a send that is neither complete nor received: %s%s; rank %d %s", sender->rank,
            doing, send, at, receiver->rank, end);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    (void)cause;
    return "receive the message, or do not send it, and wait for every send before MPI_Finalize";
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->left_over];
    add_operation_evidence(text, &text->waits->job->processes[subject->process], subject->operation,
                           subject->communicator, finding);
    cause_add_idle(text, cause, finding);
}

const struct fault fault_left_over_send = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
