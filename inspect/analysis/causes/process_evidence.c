/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Adds the doings of a process as evidence, and the things it holds back that others may wait for.
 */
#include "analysis/causes/causes.h"

#include "analysis/calls/calls.h"
#include "analysis/graph/graph.h"
#include "base/base.h"
#include "model/model.h"
#include "stack/stack.h"
#include "words/words.h"

/* Operations of one call that are named. */
enum { MOST_OPERATIONS = 8 };

void add_operation_evidence(const struct cause_text *text, const struct process *process,
                            const struct operation *operation, const struct communicator *communicator,
                            struct finding *finding)
{
    evidence_add_operation(&finding->evidence, process->rank, operation, communicator, text->labels);
}

/* Requests that a call waits for. */
struct awaited_requests {
    size_t missing; /* that keep it */
    size_t matched; /* that have met their partner */
};

static const struct operation *find_awaited(const struct process *process, uint64_t serial,
                                            const struct communicator **ret_communicator)
{
    const struct operation *operation = find_operation(process, serial, ret_communicator);
    return operation != NULL && (operation->flags & MPILENS_OPERATION_BLOCKING) == 0 ? operation : NULL;
}

static bool is_missing(const struct operation *operation)
{
    return operation->status == mqs_st_pending && !operation_has_partner(operation);
}

static struct awaited_requests count_awaited(const struct process *process, const struct thread *call)
{
    struct awaited_requests awaited = {0};
    for (size_t i = 0; i < call->waiting_known; i++) {
        const struct communicator *communicator = NULL;
        const struct operation *operation = find_awaited(process, call->waiting[i], &communicator);
        if (operation != NULL)
            ++*(is_missing(operation) ? &awaited.missing : &awaited.matched);
    }
    return awaited;
}

/* Adds the requests that keep a call; those that have met their partner are only counted. */
static void add_operations(const struct cause_text *text, const struct process *process, const struct thread *call,
                           struct finding *finding)
{
    const struct awaited_requests awaited = count_awaited(process, call);
    size_t named = 0;
    for (size_t i = 0; i < call->waiting_known && named < MOST_OPERATIONS; i++) {
        const struct communicator *communicator = NULL;
        const struct operation *operation = find_awaited(process, call->waiting[i], &communicator);
        if (operation == NULL || !is_missing(operation))
            continue;
        add_operation_evidence(text, process, operation, communicator, finding);
        named++;
    }
    if (awaited.missing > 0 && awaited.matched > 0)
        evidence_add_text(&finding->evidence, process->rank,
                          arena_text("%zu more request%s of this call already ha%s a partner", awaited.matched,
                                     awaited.matched > 1 ? "s" : "", awaited.matched > 1 ? "ve" : "s"));
}

/* The call, without the requests that are named beside it. */
static struct open_call describe_call_of(const struct cause_text *text, const struct process *process,
                                         const struct thread *thread)
{
    return !thread->polling && count_awaited(process, thread).missing > 0
               ? (struct open_call){.text = describe_call_numbers(process, thread)}
               : describe_waiting_call(text, process, thread, false);
}

struct evidence_place place_of_main_thread(const struct process *process)
{
    return evidence_place(process->stack_site, process->place_has_called ? process->called : NULL);
}

static void add_other_threads(const struct process *process, struct finding *finding)
{
    for (size_t i = 0; i < process->thread_place_count; i++) {
        const struct thread_place *place = &process->thread_places[i];
        const char *activity = describe_activity(place->activity);
        const char *threads = place->threads > 1 ? arena_text("%u other threads", place->threads) : "another thread";
        evidence_add_stack(&finding->evidence, process->rank,
                           arena_text("%s not in MPI%s%s", threads, activity[0] != '\0' ? ": " : "", activity),
                           arena_copy(place->stack), evidence_place(place->stack_site, place->called), -1);
    }
}

/* Adds what the other threads of a process do that is in MPI with one thread. */
static void add_outside(const struct process *process, struct finding *finding)
{
    if (process->stack[0] != '\0')
        evidence_add_stack(&finding->evidence, process->rank, "main thread not in MPI", arena_copy(process->stack),
                           place_of_main_thread(process), -1);
    add_other_threads(process, finding);
}

/* A message that the process has lost: others may wait for its answer. */
static void add_lost(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        const struct lost_message lost = lost_message_last(&text->waits->index, communicator);
        if (lost.receive == NULL)
            continue;
        const char *bytes = lost.bytes >= 0 ? arena_text(" of %lld bytes", (long long)lost.bytes) : "";
        evidence_add(&finding->evidence, process->rank, lost.receive->serial,
                     arena_text("lost a message%s from rank %d, too long for %s", bytes, lost.receive->actual_world,
                                describe_operation(lost.receive, communicator, text->labels)),
                     evidence_place(lost.receive->details->site, lost.receive->details->function), lost.receive->age_s);
    }
}

/* Messages that its matched probes have taken and that it has not begun to receive. */
static void add_held(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    size_t named = 0;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        for (size_t j = 0; j < communicator->message_count && named < MOST_OPERATIONS; j++, named++) {
            const struct matched_message *message = &communicator->matched_messages[j];
            evidence_add(&finding->evidence, process->rank, 0,
                         arena_text("has taken the message from rank %s, tag %d, on %s with %s, but not received it",
                                    describe_rank(message->peer_local, message->peer_world), message->tag,
                                    find_label(text->labels, communicator->id), message->function),
                         evidence_place(message->site, message->function), message->age_s);
        }
    }
}

/* "rank 2", "ranks [0-2,5]", of world ranks; only the number of a large group. */
static const char *name_group(const struct group *group)
{
    enum { MOST_NAMED = 64 };
    struct ranks ranks = {0};
    for (int32_t i = 0; i < group->size && i < MOST_NAMED; i++)
        ranks_add(&ranks, group_world_rank(group, i));
    ranks_finish(&ranks);
    const char *name = ranks_name(&ranks);
    return arena_text("%s%s", name, group->size > MOST_NAMED ? " and others" : "");
}

static void add_epoch(const struct process *process, const char *object, const char *call, const struct group *group,
                      struct finding *finding)
{
    if (group == NULL)
        return;
    const char *ranks = name_group(group);
    evidence_add_text(&finding->evidence, process->rank, arena_text("has called %s on %s for %s", call, object, ranks));
}

/* For whom the process that waits in MPI_Win_start, MPI_Win_complete or MPI_Win_wait has begun epochs. */
static void add_epochs(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    const struct thread *thread = find_first_blocked(process);
    if (thread == NULL || thread->call_class != MPILENS_CALL_SYNCHRONIZATION)
        return;
    const struct object *object = find_object(process, thread->object_kind, thread->object_serial);
    if (object == NULL || object->window == NULL)
        return;
    const char *name = describe_object(process, thread->object_kind, thread->object_serial, text->labels);
    if (object->window->exposure_epoch == MPILENS_EPOCH_GROUP)
        add_epoch(process, name, "MPI_Win_post", object->window->exposure_group, finding);
    if (object->window->access_epoch == MPILENS_EPOCH_GROUP)
        add_epoch(process, name, "MPI_Win_start", object->window->access_group, finding);
}

/* Partitioned sends that the process itself delays: others may wait for the partitions that it did not mark. */
static void add_unmarked(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        for (size_t j = 0; j < communicator->sends.count; j++) {
            const struct operation *send = &communicator->sends.items[j];
            if ((send->flags & MPILENS_OPERATION_PARTITIONED) == 0 || send->details->partitions_marked < 0 ||
                send->details->partitions_marked >= send->details->partition_count)
                continue;
            evidence_add(&finding->evidence, process->rank, send->serial,
                         arena_text("has marked %lld of %lld partitions of %s",
                                    (long long)send->details->partitions_marked,
                                    (long long)send->details->partition_count,
                                    describe_operation(send, communicator, text->labels)),
                         evidence_place(send->details->site, send->details->function), send->age_s);
        }
    }
}

/* Exceptions, and the end of its program. */
static void add_exceptions(const struct process *process, struct finding *finding)
{
    if (process->ends != PROGRAM_RUNS)
        evidence_add_text(&finding->evidence, process->rank, arena_copy(process->end));
    for (size_t i = 0; i < process->thread_count; i++) {
        const char *handling = process->threads[i].ended ? NULL : process->threads[i].handling;
        if (handling != NULL && handling[0] != '\0')
            evidence_add_text(&finding->evidence, process->rank, arena_text("while it handles %s", handling));
    }
}

static void add_doing(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    const bool has_exited = process->state == PROCESS_EXITED;
    bool in_mpi = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (thread->ended || thread->function[0] == '\0')
            continue;
        const uint64_t serial = thread->waiting_known > 0 ? thread->waiting[0] : 0;
        evidence_add_open(&finding->evidence, process->rank, serial, has_exited ? "exited in " : "in ",
                          describe_call_of(text, process, thread), evidence_place(thread->site, thread->function),
                          thread->age_s);
        for (size_t j = 0; j <= thread->other_poll_count; j++)
            add_operations(text, process, find_poll(thread, j), finding);
        in_mpi = true;
    }
    if (in_mpi) {
        add_outside(process, finding);
        return;
    }
    if (process_is_gone(process)) {
        evidence_add_text(&finding->evidence, process->rank,
                          has_exited ? arena_text("exited%s", describe_last_call(process)) : arena_copy("finalized"));
    } else {
        evidence_add_stack(&finding->evidence, process->rank, describe_outside(process), arena_copy(process->stack),
                           place_of_main_thread(process), -1);
        add_other_threads(process, finding);
    }
}

void add_process_evidence(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    add_lost(text, process, finding);
    add_held(text, process, finding);
    add_unmarked(text, process, finding);
    add_epochs(text, process, finding);
    add_doing(text, process, finding);
    add_exceptions(process, finding);
}
