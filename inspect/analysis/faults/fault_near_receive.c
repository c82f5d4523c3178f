/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receive that nobody waits for, and that would have taken a message whose sender waits, but for its tag.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

/* The only pending receive of the receiver for messages of the sender on that communicator; NULL: none, or several. */
static const struct operation *find_only_receive(const struct communicator *communicator, int32_t sender_world)
{
    const struct operation *only = NULL;
    for (size_t i = 0; i < communicator->receives.count; i++) {
        const struct operation *receive = &communicator->receives.items[i];
        if (receive->status != mqs_st_pending || (receive->peer_local >= 0 && receive->peer_world != sender_world))
            continue;
        if (only != NULL)
            return NULL;
        only = receive;
    }
    return only;
}

static bool try_send(const struct waits *waits, uint32_t node, struct cause *cause)
{
    const struct wait_subject *subject = &waits->subjects[node];
    if (!waits->graph.nodes[node].dead || subject->kind != SUBJECT_OPERATION || subject->communicator == NULL ||
        (subject->operation->flags & MPILENS_OPERATION_SEND) == 0)
        return false;
    const struct process *sender = &waits->job->processes[subject->process];
    const struct process *receiver = job_index_process(&waits->index, subject->operation->peer_world);
    const struct communicator *theirs = receiver != NULL && receiver != sender && process_is_gone(receiver)
                                            ? find_communicator(receiver, subject->communicator->id)
                                            : NULL;
    const struct operation *receive = theirs != NULL ? find_only_receive(theirs, sender->rank) : NULL;
    if (receive == NULL || receive->tag_wild || receive->tag == subject->operation->tag)
        return false;
    cause->near_receive = (struct near_receive){.send = node, .receiver = receiver, .receive = receive};
    cause->kind = FINDING_TAG_MISMATCH;
    cause_add_culprit(cause, sender->rank);
    cause_add_culprit(cause, receiver->rank);
    return true;
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++)
        if (try_send(waits, nodes[i], cause))
            return true;
    return false;
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->near_receive.send];
    const struct process *sender = &text->waits->job->processes[subject->process];
    const struct operation *receive = cause->near_receive.receive;
    const char *send = describe_operation(subject->operation, subject->communicator, text->labels);
    fprintf(stream, "nothing receives rank %d's %s%s: rank %d, which %s, has an %s%s with tag %d, not %d", sender->rank,
            send, describe_at(subject->operation->details->site), cause->near_receive.receiver->rank,
            describe_doing(text, cause->near_receive.receiver), receive->details->function,
            describe_at(receive->details->site), receive->tag, subject->operation->tag);
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    (void)text;
    (void)cause;
    return "use the same tag at both places, and complete the receive before MPI_Finalize";
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->near_receive.send];
    add_operation_evidence(text, &text->waits->job->processes[subject->process], subject->operation,
                           subject->communicator, finding);
    add_operation_evidence(text, cause->near_receive.receiver, cause->near_receive.receive, subject->communicator,
                           finding);
    cause_add_idle(text, cause, finding);
}

const struct fault fault_near_receive = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
