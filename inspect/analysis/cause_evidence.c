/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What supports a cause: the messages and calls that its sentence speaks of, and what each of its ranks is doing.
 */
#include "analysis/cause_text.h"
#include "analysis/idle_request.h"
#include "analysis/round_classes.h"
#include "base/allocation.h"

#include <stdlib.h>

static void add_sent(const struct cause_text *text, int rank, const struct operation *message,
                     const struct communicator *communicator, const char *fate, struct finding *finding)
{
    char *said = format_text("sent %lld x %s, tag %d, on %s with %s%s", (long long)message->count, message->datatype,
                             message->tag, find_label(text->labels, communicator->id), message->function, fate);
    finding_add_evidence(finding, rank, message->serial, said, describe_site(message->site), message->age_s);
}

static void add_message(const struct cause_text *text, const struct operation *message,
                        const struct communicator *communicator, struct finding *finding)
{
    add_sent(text, message->peer_world, message, communicator, ": nobody has received it", finding);
}

static void add_stray(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    char *fate = format_text(" to rank %d: nobody has received it", cause->stray->peer_world);
    add_sent(text, cause->wanted.peer_world, cause->stray, cause->wanted.communicator, fate, finding);
    free(fate);
}

static void add_round(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    for (size_t i = 0; i < cause->round.members.count; i++) {
        const struct job_member *member = &cause->round.members.items[i];
        const struct collective_call *call = collective_round_call(member, cause->round.serial);
        if (call == NULL)
            continue;
        char *place = describe_order(text, member);
        char *root = call->has_root && call->root >= 0 ? format_text(", root %d", call->root) : copy_text("");
        char *op = call->op_name[0] != '\0' ? format_text(", %s", call->op_name) : copy_text("");
        char *amount = describe_amount(call);
        char *said = format_text("made call %llu on %s: %s%s%s%s%s", (unsigned long long)call->serial, place,
                                 call->function, root, op, amount[0] != '\0' ? ", " : "", amount);
        free(place);
        finding_add_evidence(finding, member->process->rank, 0, said, describe_site(call->site), call->age_s);
        free(root);
        free(op);
        free(amount);
    }
}

/* Where the ways of the members part. */
static void add_last_shared(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct collective_call *last = round_last_shared(&cause->round);
    for (size_t i = 0; last != NULL && i < cause->round.members.count; i++) {
        const struct job_member *member = &cause->round.members.items[i];
        const struct collective_call *call = collective_round_call(member, last->serial);
        if (call == NULL)
            continue;
        char *place = describe_order(text, member);
        finding_add_evidence(finding, member->process->rank, 0,
                             format_text("made call %llu on %s: %s, the last one that all made at the same place",
                                         (unsigned long long)last->serial, place, call->function),
                             describe_site(call->site), call->age_s);
        free(place);
    }
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
        char *object = describe_object(process, thread->object_kind, thread->object_serial, text->labels);
        char *target = lock->target_local < 0 ? copy_text("all targets") : format_text("target %d", lock->target_local);
        finding_add_evidence(finding, other->rank, 0,
                             format_text("has locked %s of %s: %s", target, object, describe_lock(lock->type)),
                             describe_site(lock->site), lock->age_s);
        free(object);
        free(target);
    }
}

/* A persistent request that would end a wait, but is inactive. */
static void add_idle(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    const struct idle_request idle = idle_request_find(text->waits, cause);
    if (idle.request == NULL)
        return;
    char *tag = idle.request->tag_wild ? copy_text("any tag") : format_text("tag %d", idle.request->tag);
    const bool receives = idle.request->operation_class == MPILENS_OPERATION_RECEIVE;
    finding_add_evidence(finding, idle.owner->rank, idle.request->serial,
                         format_text("has not started its %s request %s rank %d, %s, on %s: %s",
                                     receives ? "receive" : "send", receives ? "from" : "to", idle.waiting, tag,
                                     find_label(text->labels, idle.request->communicator_id), idle.request->function),
                         describe_site(idle.request->site), idle.request->age_s);
    free(tag);
}

void cause_add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    if (cause->has_round && cause->round.difference != ROUND_ALIKE) {
        add_round(text, cause, finding);
        add_last_shared(text, cause, finding);
    }
    if (cause->near_miss.message != NULL)
        add_message(text, cause->near_miss.message, cause->near_miss.communicator, finding);
    if (cause->stray != NULL)
        add_stray(text, cause, finding);
    if (cause->unreceived.message != NULL)
        add_message(text, cause->unreceived.message, cause->unreceived.communicator, finding);
    if (cause->left_over != NO_NODE) {
        const struct wait_subject *subject = &text->waits->subjects[cause->left_over];
        add_operation_evidence(text, &text->waits->job->processes[subject->process], subject->operation,
                               subject->communicator, finding);
    }
    add_idle(text, cause, finding);
    cause_add_history(text, cause, finding);
    if (cause->lost.send != NULL)
        add_sent(text, cause->lost.receive->actual_world, cause->lost.send, cause->wanted.communicator, ": it is lost",
                 finding);
    if (cause->taken != NULL) {
        char *taken = describe_operation(cause->taken, cause->wanted.communicator, text->labels);
        finding_add_evidence(
            finding, cause->wanted.receiver->rank, cause->taken->serial,
            format_text("received the message from rank %d with %s", cause->taken->actual_world, taken),
            describe_site(cause->taken->site), cause->taken->age_s);
        free(taken);
        if (cause->left != NULL)
            add_message(text, cause->left, cause->wanted.communicator, finding);
    }
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
