/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the evidence for a cause: the messages and calls that its sentence names, and what each of its ranks is doing.
 */
#include "analysis/causes/causes.h"

#include "analysis/graph/graph.h"
#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

void cause_add_sent(const struct cause_text *text, int rank, const struct operation *message,
                    const struct communicator *communicator, const char *fate, struct finding *finding)
{
    const bool is_known = message->details->function[0] != '\0'; /* its sender may have forgotten it */
    const char *amount =
        is_known ? arena_text("%lld x %s", (long long)message->details->count, message->details->datatype)
                 : describe_amount(message->details->count, message->details->bytes, message->details->datatype);
    const char *said =
        arena_text("sent %s, tag %d, on %s%s%s%s", amount, message->tag, find_label(text->labels, communicator->id),
                   is_known ? " with " : "", message->details->function, fate);
    evidence_add(&finding->evidence, rank, message->serial, said,
                 evidence_place(message->details->site, message->details->function), message->age_s);
}

void cause_add_unreceived(const struct cause_text *text, const struct operation *message,
                          const struct communicator *communicator, struct finding *finding)
{
    cause_add_sent(text, message->peer_world, message, communicator,
                   message->exact ? ": nobody has received it (exact: MPI has it)" : ": nobody has received it",
                   finding);
}

static void add_stray(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const char *fate = arena_text(" to rank %d: nobody has received it", cause->noted.stray->peer_world);
    cause_add_sent(text, cause->wanted.peer_world, cause->noted.stray, cause->wanted.communicator, fate, finding);
}

void cause_add_noted(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    if (cause->noted.near_miss.message != NULL)
        cause_add_unreceived(text, cause->noted.near_miss.message, cause->noted.near_miss.communicator, finding);
    if (cause->noted.stray != NULL)
        add_stray(text, cause, finding);
    if (cause->noted.unreceived.message != NULL)
        cause_add_unreceived(text, cause->noted.unreceived.message, cause->noted.unreceived.communicator, finding);
}

void cause_add_idle(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct idle_request idle = idle_request_find(text->waits, cause);
    if (idle.request == NULL)
        return;
    const char *tag = idle.request->tag_wild ? "any tag" : arena_text("tag %d", idle.request->tag);
    const bool receives = operation_class(idle.request) == MPILENS_OPERATION_RECEIVE;
    evidence_add(&finding->evidence, idle.owner->rank, idle.request->serial,
                 arena_text("has not started its %s request %s rank %d, %s, on %s: %s", receives ? "receive" : "send",
                            receives ? "from" : "to", idle.waiting, tag,
                            find_label(text->labels, idle.request->details->communicator_id),
                            idle.request->details->function),
                 evidence_place(idle.request->details->site, idle.request->details->function), idle.request->age_s);
}

/* The locks of others that the call of a rank waits for. */
static void add_locks(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    const struct thread *thread = find_first_blocked(process);
    if (thread == NULL || thread->call_class != MPILENS_CALL_SYNCHRONIZATION)
        return;
    for (size_t i = 0; i < finding->culprits.count; i++) {
        const struct process *other = job_index_process(&text->waits->index, finding->culprits.items[i]);
        const struct window_lock *lock =
            other != NULL && other != process ? find_hindering_lock(process, thread, other) : NULL;
        if (lock == NULL)
            continue;
        const char *target = lock->target_local < 0 ? "all targets" : arena_text("target %d", lock->target_local);
        evidence_add(&finding->evidence, other->rank, 0,
                     arena_text("has locked %s of %s: %s", target,
                                describe_object(process, thread->object_kind, thread->object_serial, text->labels),
                                describe_lock(lock->type)),
                     evidence_place(lock->site, NULL), lock->age_s);
    }
}

void cause_add_doings(const struct cause_text *text, struct finding *finding)
{
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks.items[i]);
        if (process != NULL)
            add_locks(text, process, finding);
    }
    for (size_t i = 0; i < finding->ranks.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks.items[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
}

const char *advise_on_destination(const struct operation *message, int meant, int actual)
{
    return arena_text("if %s%s was meant for rank %d, not %d, correct its destination", message->details->function,
                      describe_at(message->details->site), meant, actual);
}

const char *advise_on_stray(const struct cause *cause)
{
    return advise_on_destination(cause->noted.stray, cause->wanted.receiver->rank, cause->noted.stray->peer_world);
}

static const struct matched_message *find_message(const struct communicator *communicator, const struct process *sender,
                                                  int32_t tag)
{
    for (size_t i = 0; communicator != NULL && i < communicator->message_count; i++)
        if (communicator->matched_messages[i].peer_world == sender->rank &&
            communicator->matched_messages[i].tag == tag)
            return &communicator->matched_messages[i];
    return NULL;
}

const char *advise_on_held(const struct waits *waits, const struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind != SUBJECT_OPERATION || subject->operation == NULL || !operation_is_held(subject->operation))
            continue;
        const struct operation *send = subject->operation;
        const struct process *receiver = job_index_process(&waits->index, send->match_rank);
        const struct matched_message *message =
            receiver != NULL ? find_message(find_communicator(receiver, subject->communicator->id),
                                            &waits->job->processes[subject->process], send->tag)
                             : NULL;
        if (message == NULL)
            continue;
        return arena_text("call MPI_Mrecv for the message that %s%s has taken: rank %d waits until then",
                          message->function, describe_at(message->site), waits->job->processes[subject->process].rank);
    }
    return NULL;
}

const char *advise_on_idle(const struct waits *waits, const struct cause *cause)
{
    const struct idle_request idle = idle_request_find(waits, cause);
    if (idle.request == NULL)
        return NULL;
    return arena_text("have rank %d start its request from %s%s: it is inactive, and rank %d waits", idle.owner->rank,
                      idle.request->details->function, describe_at(idle.request->details->site), idle.waiting);
}

const char *advise_on_exit(const struct process *culprit)
{
    return arena_text("find out why rank %d ended; a rank that gives up should call MPI_Abort", culprit->rank);
}

const char *advise_on_exception(const struct process *culprit)
{
    return arena_text(
        "fix the cause of rank %d's failure; start Python with 'python3 -m mpi4py', which ends the job when an "
        "exception is not caught",
        culprit->rank);
}

const char *advise_on_noted(const struct waits *waits, const struct cause *cause)
{
    return cause->noted.stray != NULL ? advise_on_stray(cause) : advise_on_idle(waits, cause);
}
