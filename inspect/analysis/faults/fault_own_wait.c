/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A rank that waits for itself: the last resort where no other rank is part of it.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"
#include "words/words.h"

/* Threads that a sentence speaks of. */
enum { MOST_SPOKEN_OF = 4 };

static bool recognize(const struct waits *waits, struct cause *cause)
{
    int first = -1;
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct process *owner = cause_node_owner(waits, cause->nodes[i]);
        if (owner != NULL && first >= 0 && owner->rank != first)
            return false;
        first = owner != NULL ? owner->rank : first;
    }
    cause->kind = FINDING_NO_MATCH;
    cause_note_message(waits, cause);
    for (size_t i = 0; i < cause->node_count; i++)
        cause_add_owner(waits, cause->nodes[i], cause, true);
    return true;
}

static bool has_several_blocked(const struct process *process)
{
    size_t count = 0;
    for (size_t i = 0; i < process->thread_count; i++)
        count += thread_is_blocked(&process->threads[i]);
    return count > 1;
}

/* ": in ... at ...; in ... at ...". */
static void write_threads(FILE *stream, const struct cause_text *text, const struct process *process)
{
    size_t written = 0;
    for (size_t i = 0; i < process->thread_count; i++) {
        if (!thread_is_blocked(&process->threads[i]) || written++ >= MOST_SPOKEN_OF)
            continue;
        const char *call = describe_call_and_place(text, process, &process->threads[i]);
        fprintf(stream, "%s in %s", written == 1 ? ":" : ";", call);
    }
    if (written > MOST_SPOKEN_OF)
        fprintf(stream, "; and %zu more", written - MOST_SPOKEN_OF);
}

/* A message to or from the process itself. */
static void write_to_itself(FILE *stream, const struct cause_text *text, const struct process *process,
                            const struct thread *thread, const struct wait_subject *subject)
{
    const struct operation *operation = subject->operation;
    const struct communicator *communicator = subject->communicator;
    const bool sends = (operation->flags & MPILENS_OPERATION_SEND) != 0;
    const bool blocking = (operation->flags & MPILENS_OPERATION_BLOCKING) != 0;
    fprintf(stream, "rank %d %s itself with %s%s%s", process->rank, sends ? "sends to" : "receives from",
            blocking ? "a blocking " : "", describe_operation(operation, communicator, text->labels),
            describe_at(operation->details->site));
    if (!blocking) {
        fprintf(stream, ", and waits for it in %s%s", thread->function, describe_at(thread->site));
    }
    if (communicator->size != 1 || communicator->intercommunicator)
        return;
    const char *made_at = describe_at(communicator->site);
    fprintf(stream, ": %s", find_label(text->labels, communicator->id));
    if (made_at[0] != '\0')
        fprintf(stream, " (made%s)", made_at);
    fputs(" has only 1 member", stream);
}

static void write_own(FILE *stream, const struct cause_text *text, const struct process *process,
                      const struct thread *thread, const struct wait_subject *subject)
{
    const struct operation *operation = subject->operation;
    if (operation != NULL && (operation->flags & MPILENS_OPERATION_PARTITIONED) == 0) {
        write_to_itself(stream, text, process, thread, subject);
        return;
    }
    fprintf(stream, "rank %d is waiting for itself in %s: ", process->rank,
            describe_call_and_place(text, process, thread));
    if (operation == NULL) {
        const char *at = describe_at(subject->request->details->site);
        fprintf(stream, "it has to complete its request from %s%s", subject->request->details->function, at);
        return;
    }
    const char *at = describe_at(operation->details->site);
    fprintf(stream, "it has marked only %lld of %lld partitions of %s%s ready",
            (long long)operation->details->partitions_marked, (long long)operation->details->partition_count,
            describe_operation(operation, subject->communicator, text->labels), at);
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const int rank = cause->culprits.count > 0 ? cause->culprits.items[0] : -1;
    const struct process *process = job_index_process(&text->waits->index, rank);
    const struct thread *thread = process != NULL ? find_first_blocked(process) : NULL;
    if (thread == NULL) {
        fprintf(stream, "rank %d is waiting for itself", rank);
        return;
    }
    if (has_several_blocked(process)) {
        fprintf(stream, "the threads of rank %d wait for each other", rank);
        write_threads(stream, text, process);
        return;
    }
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &text->waits->subjects[cause->nodes[i]];
        if (subject->kind == SUBJECT_OPERATION && (subject->request != NULL || subject->operation != NULL)) {
            write_own(stream, text, process, thread, subject);
            return;
        }
    }
    fprintf(stream, "rank %d is waiting for itself in %s", rank, describe_call_and_place(text, process, thread));
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    if (cause->noted.stray != NULL)
        return advise_on_stray(cause);
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &text->waits->subjects[cause->nodes[i]];
        if (subject->kind == SUBJECT_OPERATION && subject->request != NULL)
            return "call MPI_Grequest_complete before waiting for the request, or in another thread";
        if (subject->kind == SUBJECT_OPERATION && subject->operation != NULL)
            return arena_copy((subject->operation->flags & MPILENS_OPERATION_PARTITIONED) != 0
                                  ? "mark every partition with MPI_Pready before waiting for the send"
                                  : "start one side of a message to the rank itself with a nonblocking call first");
    }
    return NULL;
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause_add_noted(text, cause, finding);
    cause_add_idle(text, cause, finding);
}

const struct fault fault_own_wait = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
