/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What supports a cause: what each of its ranks is doing, and the messages and calls that its sentence speaks of.
 */
#include "allocation.h"
#include "cause_text.h"
#include "process_activity.h"

#include <stdlib.h>

/* Operations of one call that are named. */
enum { MOST_OPERATIONS = 8 };

static void add_operation(const struct cause_text *text, const struct process *process,
                          const struct operation *operation, const struct communicator *communicator,
                          struct finding *finding)
{
    char *described = describe_operation(operation, communicator, text->labels);
    finding_add_evidence(finding, process->rank, operation->serial, format_text("not complete: %s", described),
                         describe_site(operation->site), operation->age_s);
    free(described);
}

/* Of the requests that a call waits for, those that keep it; those that have met their partner are only counted. */
static void add_operations(const struct cause_text *text, const struct process *process, const struct thread *thread,
                           struct finding *finding)
{
    size_t named = 0, matched = 0;
    for (size_t i = 0; i < thread->waiting_known; i++) {
        const struct communicator *communicator = NULL;
        const struct operation *operation = find_operation(process, thread->waiting[i], &communicator);
        if (operation == NULL || (operation->flags & MPILENS_OPERATION_BLOCKING) != 0)
            continue;
        if (operation->status != mqs_st_pending || operation_has_partner(operation))
            matched++;
        else if (named++ < MOST_OPERATIONS)
            add_operation(text, process, operation, communicator, finding);
    }
    const char *plural = matched > 1 ? "s" : "";
    if (named > 0 && matched > 0)
        finding_add_evidence(finding, process->rank, 0,
                             format_text("matched: %zu other request%s of that call", matched, plural), copy_text(""),
                             -1);
}

static void add_other_threads(const struct process *process, struct finding *finding)
{
    for (size_t i = 0; i < process->thread_place_count; i++) {
        const struct thread_place *place = &process->thread_places[i];
        const char *activity = describe_activity(place->activity);
        char *threads =
            place->threads > 1 ? format_text("%u other threads", place->threads) : copy_text("another thread");
        finding_add_evidence(finding, process->rank, 0,
                             format_text("%s not in MPI%s%s", threads, activity[0] != '\0' ? ": " : "", activity),
                             copy_text(place->stack), -1);
        free(threads);
    }
}

/* Of a process that is in MPI with one thread, what the others do. */
static void add_outside(const struct process *process, struct finding *finding)
{
    if (process->stack[0] != '\0')
        finding_add_evidence(finding, process->rank, 0, copy_text("main thread not in MPI"), copy_text(process->stack),
                             -1);
    add_other_threads(process, finding);
}

/* A message that the process has lost: what it should have done with it may be what others wait for. */
static void add_lost(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const struct lost_message lost = lost_message_last(&text->waits->index, communicator);
        if (lost.receive == NULL)
            continue;
        char *received = describe_operation(lost.receive, communicator, text->labels);
        char *bytes = lost.bytes >= 0 ? format_text(" of %lld bytes", (long long)lost.bytes) : copy_text("");
        finding_add_evidence(
            finding, process->rank, lost.receive->serial,
            format_text("lost a message%s of rank %d, too long for %s", bytes, lost.receive->actual_world, received),
            describe_site(lost.receive->site), lost.receive->age_s);
        free(received);
        free(bytes);
    }
}

void add_process_evidence(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    bool in_mpi = false;
    add_lost(text, process, finding);
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        char *call = describe_waiting_call(text, process, thread);
        const uint64_t serial = thread->waiting_known > 0 ? thread->waiting[0] : 0;
        finding_add_evidence(finding, process->rank, serial, format_text("in %s", call), describe_site(thread->site),
                             thread->age_s);
        free(call);
        add_operations(text, process, thread, finding);
        in_mpi = true;
    }
    if (in_mpi) {
        add_outside(process, finding);
        return;
    }
    if (process_is_gone(process)) {
        finding_add_evidence(finding, process->rank, 0,
                             copy_text(process->state == PROCESS_EXITED ? "exited" : "finalized"), copy_text(""), -1);
    } else {
        char *site = copy_text(process->stack);
        finding_add_evidence(finding, process->rank, 0, describe_outside(process), site, -1);
        add_other_threads(process, finding);
    }
}

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
        char *amount =
            call->count >= 0 ? format_text(", %lld x %s", (long long)call->count, call->datatype) : copy_text("");
        char *said = format_text("made call %llu on %s: %s%s%s%s", (unsigned long long)call->serial, place,
                                 call->function, root, op, amount);
        free(place);
        finding_add_evidence(finding, member->process->rank, 0, said, describe_site(call->site), call->age_s);
        free(root);
        free(op);
        free(amount);
    }
}

/* The locks of others that the call of a rank waits for. */
static void add_locks(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    const struct thread *thread = find_first_blocked(process);
    if (thread == NULL || thread->call_class != MPILENS_CALL_SYNCHRONIZATION)
        return;
    for (size_t i = 0; i < finding->culprit_count; i++) {
        const struct process *other = job_index_process(&text->waits->index, finding->culprits[i]);
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

void cause_add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    if (cause->has_round && cause->round.difference != ROUND_ALIKE)
        add_round(text, cause, finding);
    if (cause->near_miss.message != NULL)
        add_message(text, cause->near_miss.message, cause->near_miss.communicator, finding);
    if (cause->stray != NULL)
        add_stray(text, cause, finding);
    if (cause->lost.send != NULL)
        add_sent(text, cause->lost.receive->actual_world, cause->lost.send, cause->wanted.communicator, ": it is lost",
                 finding);
    if (cause->taken != NULL) {
        char *taken = describe_operation(cause->taken, cause->wanted.communicator, text->labels);
        finding_add_evidence(finding, cause->wanted.receiver->rank, cause->taken->serial,
                             format_text("received the message of rank %d with %s", cause->taken->actual_world, taken),
                             describe_site(cause->taken->site), cause->taken->age_s);
        free(taken);
        if (cause->left != NULL)
            add_message(text, cause->left, cause->wanted.communicator, finding);
    }
    for (size_t i = 0; i < finding->rank_count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks[i]);
        if (process != NULL)
            add_locks(text, process, finding);
    }
    for (size_t i = 0; i < finding->rank_count; i++) {
        const struct process *process = job_index_process(&text->waits->index, finding->ranks[i]);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
}
