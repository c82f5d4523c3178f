/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings of calls that MPI has failed, with what the other side of the message or collective call says.
 */
#include "analysis/analysis_internal.h"

#include "analysis/causes/causes.h"
#include "analysis/graph/graph.h"
#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

#include <string.h>

static bool is_of_class(const struct failed_call *call, const char *error_class)
{
    return strcmp(call->error_class, error_class) == 0;
}

/* MPI_Abort has a code of the program, and no class. */
static bool is_abort(const struct failed_call *call)
{
    return call->purpose == MPILENS_PURPOSE_ABORT;
}

static const struct failed_call *find_last_under_way(const struct process *process)
{
    const struct failed_call *last = NULL;
    for (size_t i = 0; i < process->failed_call_count; i++) {
        const struct failed_call *call = &process->failed_calls[i];
        if (call->is_under_way && (last == NULL || call->serial > last->serial))
            last = call;
    }
    return last;
}

/* The call whose error handler is at work, NULL: none. If a handler calls MPI_Abort, the call before. */
static const struct failed_call *find_raised(const struct process *process)
{
    const struct failed_call *last = find_last_under_way(process);
    for (size_t i = 0; last != NULL && is_abort(last) && i < process->failed_call_count; i++) {
        const struct failed_call *call = &process->failed_calls[i];
        if (!call->returned && !is_abort(call) && call->serial + 1 == last->serial)
            return call;
    }
    return last;
}

/* From a failed call to MPI_Finalize: Python writes the exception and runs what is to run at its end. */
static const double most_ending_s = 10;

/* Whether the exception that has ended the program may be mpi4py's, as far as its name is known. */
static bool may_be_of_mpi(const char *end)
{
    static const char before[] = "the uncaught exception ", of_mpi[] = "mpi4py.MPI.Exception";
    const char *name = strstr(end, before);
    if (name == NULL)
        return true;
    name += strlen(before);
    return strncmp(name, of_mpi, strlen(of_mpi)) == 0 && strcspn(name, ":,") == strlen(of_mpi);
}

/* Whether it has come to its end soon after the call, with no other message or collective call in between. */
static bool has_ended_since(const struct process *process, const struct failed_call *call)
{
    const struct last_call made = last_call_find(process);
    if (call->age_s < 0 || (made.function != NULL && made.age_s < call->age_s))
        return false;
    for (size_t i = 0; i < process->thread_count; i++)
        if (process->threads[i].purpose == MPILENS_PURPOSE_FINALIZE)
            return call->age_s - process->threads[i].age_s <= most_ending_s;
    return call->age_s <= most_ending_s;
}

/* The call whose error code has become the exception that has ended its Python program. NULL: none. */
static const struct failed_call *find_thrown(const struct process *process)
{
    const struct failed_call *last = NULL;
    for (size_t i = 0; process->ends == PROGRAM_FAILED && i < process->failed_call_count; i++)
        if (last == NULL || process->failed_calls[i].serial > last->serial)
            last = &process->failed_calls[i];
    return last != NULL && last->returned && may_be_of_mpi(process->end) && has_ended_since(process, last) ? last
                                                                                                           : NULL;
}

static const struct communicator *communicator_of(const struct process *process, const struct failed_call *call)
{
    return call->communicator_id != 0 ? find_communicator(process, call->communicator_id) : NULL;
}

/* A message that was too long for a receive, and its sender. */
struct long_message {
    const struct operation *send; /* NULL: not known */
    const struct process *sender;
    int64_t bytes; /* -1: not known */
};

static bool could_be(const struct operation *send, const struct process *receiver, const struct failed_call *call)
{
    return (send->flags & MPILENS_OPERATION_SEND) && send->peer_world == receiver->rank &&
           (call->tag_wild || send->tag == call->tag) && send->details->bytes > call->bytes;
}

static void look_for_send(const struct operations *sends, const struct process *sender, const struct process *receiver,
                          const struct failed_call *call, struct long_message *message)
{
    for (size_t i = 0; i < sends->count; i++)
        if (could_be(&sends->items[i], receiver, call) &&
            (message->send == NULL || message->sender != sender || sends->items[i].serial > message->send->serial)) {
            message->send = &sends->items[i];
            message->sender = sender;
            message->bytes = sends->items[i].details->bytes;
        }
}

static void look_at_sender(const struct process *sender, const struct process *receiver, const struct failed_call *call,
                           struct long_message *message)
{
    const struct communicator *communicator = sender != NULL ? communicator_of(sender, call) : NULL;
    if (communicator == NULL)
        return;
    look_for_send(&communicator->completed, sender, receiver, call, message);
    look_for_send(&communicator->sends, sender, receiver, call, message);
}

/* The last message of those that a receive could have got and that are too long for it; of other calls, none. */
static struct long_message find_long_message(const struct job_index *index, const struct process *receiver,
                                             const struct failed_call *call)
{
    struct long_message message = {.bytes = -1};
    if (!is_of_class(call, "MPI_ERR_TRUNCATE") || !call->has_peer)
        return message;
    message.bytes = call->actual_bytes;
    if (call->bytes >= 0 && call->peer_world >= 0)
        look_at_sender(job_index_process(index, call->peer_world), receiver, call, &message);
    for (size_t i = 0; i < index->job->process_count && call->bytes >= 0 && call->peer_world < 0; i++)
        look_at_sender(&index->job->processes[i], receiver, call, &message);
    return message;
}

/* The one message that would fill the receive, that the sender of the long one had sent before, and that nobody has
 * received: only its tag differs. NULL: there is none, or several. */
static const struct operation *find_missed_message(const struct process *receiver, const struct failed_call *call,
                                                   const struct long_message *message)
{
    const struct communicator *communicator = communicator_of(receiver, call);
    const struct operation *found = NULL;
    if (message->send == NULL || !call->has_tag || call->tag_wild || communicator == NULL)
        return NULL;
    for (size_t i = 0; i < communicator->unexpected.count; i++) {
        const struct operation *other = &communicator->unexpected.items[i];
        if (other->actual_world == message->sender->rank && other->serial != 0 &&
            other->serial < message->send->serial && other->details->bytes == call->bytes && other->tag != call->tag) {
            if (found != NULL)
                return NULL;
            found = other;
        }
    }
    return found;
}

static const char *describe_truncation(const struct failed_call *call, const struct long_message *message)
{
    if (message->bytes < 0 || call->bytes < 0)
        return NULL;
    const char *at = message->send != NULL ? describe_at(message->send->details->site) : "";
    const char *from = message->send != NULL ? arena_text(", sent by rank %d's %s%s", message->sender->rank,
                                                          message->send->details->function, at)
                                             : "";
    return arena_text("it has room for %lld bytes and got a message of %lld, %lld too many%s", (long long)call->bytes,
                      (long long)message->bytes, (long long)(message->bytes - call->bytes), from);
}

/* The same call of another member, as it has noted it; NULL: none. */
static const struct collective_call *call_of(const struct process *member, const struct failed_call *call)
{
    const struct communicator *communicator = communicator_of(member, call);
    for (size_t i = 0; communicator != NULL && i < communicator->collective_call_count; i++)
        if (communicator->recent_collectives[i].serial == call->collective)
            return &communicator->recent_collectives[i];
    return NULL;
}

/* The arguments of a member that differ from the failed call; NULL: none. */
static const char *describe_other_arguments(const struct failed_call *call, const struct collective_call *other)
{
    if (other->has_root && call->has_root && other->root != call->root)
        return arena_text("root %d", (int)other->root);
    if (other->bytes >= 0 && call->bytes >= 0 && other->bytes != call->bytes)
        return describe_amount(other->count, other->bytes, other->datatype);
    return NULL;
}

/* Which member makes another call, or gives other arguments. */
static const char *describe_disagreement(const struct job *job, const struct process *process,
                                         const struct failed_call *call)
{
    const char *text = NULL;
    for (size_t i = 0; call->collective != 0 && i < job->process_count && text == NULL; i++) {
        const struct process *member = &job->processes[i];
        const struct collective_call *other = member != process ? call_of(member, call) : NULL;
        if (other == NULL)
            continue;
        const char *at = describe_at(other->site);
        const char *given = describe_other_arguments(call, other);
        if (strcmp(function_of_any_count(other->function, other->small_count),
                   function_of_any_count(call->function, call->small_count)) != 0)
            text = arena_text("rank %d's call %llu there is %s%s", member->rank, (unsigned long long)call->collective,
                              other->function, at);
        else if (given != NULL)
            text = arena_text("rank %d gives %s%s", member->rank, given, at);
    }
    return text;
}

static const char *describe_argument(const struct process *process, const struct failed_call *call,
                                     const struct communicator_labels *labels)
{
    const struct communicator *communicator = communicator_of(process, call);
    const int32_t given = is_of_class(call, "MPI_ERR_ROOT") ? call->root : call->peer_local;
    const bool is_rank =
        (is_of_class(call, "MPI_ERR_RANK") && call->has_peer) || (is_of_class(call, "MPI_ERR_ROOT") && call->has_root);
    if (is_rank && communicator != NULL) {
        const int32_t size = communicator->intercommunicator ? communicator->remote_size : communicator->size;
        if (given < 0 || given >= size)
            return arena_text("%s has ranks 0 to %d only", find_label(labels, call->communicator_id), (int)size - 1);
    }
    if (is_of_class(call, "MPI_ERR_TAG") && call->has_tag && call->tag < 0)
        return arena_text("tags are not negative");
    if (is_of_class(call, "MPI_ERR_TAG") && call->has_tag)
        return arena_text("it is larger than this MPI allows (MPI_TAG_UB)");
    return NULL;
}

/* Why MPI has failed it, from what is known of the job; else in MPI's words. */
static const char *describe_reason(const struct cause_text *text, const struct process *process,
                                   const struct failed_call *call, const struct long_message *message)
{
    const struct job *job = text->waits->index.job;
    const char *reason = describe_truncation(call, message);
    if (reason == NULL)
        reason = describe_disagreement(job, process, call);
    if (reason == NULL)
        reason = describe_argument(process, call, text->labels);
    const char *said = describe_failure(call);
    if (reason == NULL || said[0] == '\0')
        return reason != NULL ? reason : said;
    return arena_text("%s; %s", said, reason);
}

static const char *advise(const struct failed_call *call)
{
    static const char *const classes_of_arguments[] = {
        "MPI_ERR_BUFFER",   "MPI_ERR_COUNT", "MPI_ERR_TYPE",     "MPI_ERR_TAG",        "MPI_ERR_COMM",
        "MPI_ERR_RANK",     "MPI_ERR_ROOT",  "MPI_ERR_GROUP",    "MPI_ERR_OP",         "MPI_ERR_TOPOLOGY",
        "MPI_ERR_DIMS",     "MPI_ERR_ARG",   "MPI_ERR_TRUNCATE", "MPI_ERR_REQUEST",    "MPI_ERR_AMODE",
        "MPI_ERR_FILE",     "MPI_ERR_INFO",  "MPI_ERR_INFO_KEY", "MPI_ERR_INFO_VALUE", "MPI_ERR_WIN",
        "MPI_ERR_LOCKTYPE", "MPI_ERR_SIZE",  "MPI_ERR_DISP",     "MPI_ERR_ASSERT",     "MPI_ERR_KEYVAL",
        "MPI_ERR_RMA_RANGE"};
    if (is_abort(call))
        return NULL;
    if (is_of_class(call, "MPI_ERR_TRUNCATE") && call->has_peer)
        return "make the receive at least as large as the message";
    if (call->collective != 0 && is_of_class(call, "MPI_ERR_TRUNCATE"))
        return "make the same call with fitting arguments on all ranks";
    for (size_t i = 0; i < sizeof classes_of_arguments / sizeof *classes_of_arguments; i++)
        if (is_of_class(call, classes_of_arguments[i]))
            return arena_text("correct the arguments of %s", call->function);
    return NULL;
}

static const char *describe_error(const struct cause_text *text, const struct process *process,
                                  const struct failed_call *call, const struct long_message *message)
{
    const char *described = describe_failed_call(call, text->labels), *at = describe_at(call->site);
    if (is_abort(call))
        return arena_text("rank %d ends the job: MPI_Abort with code %d%s", process->rank, (int)call->error, at);
    const char *reason = describe_reason(text, process, call, message);
    return arena_text("rank %d's %s%s failed with %s%s%s", process->rank, described, at,
                      call->error_class[0] != '\0' ? call->error_class : "an error", reason[0] != '\0' ? ": " : "",
                      reason);
}

static void add_said(struct finding *finding, const struct process *process, const struct failed_call *call)
{
    const char *failure = describe_failure(call);
    if (failure[0] != '\0')
        evidence_add(&finding->evidence, process->rank, 0, arena_text("MPI says: %s", failure),
                     evidence_place(call->site, call->function), call->age_s);
    if (call->started_by[0] != '\0')
        evidence_add(&finding->evidence, process->rank, 0, arena_text("had called %s", call->started_by),
                     evidence_place(call->started_at, call->started_by), -1);
}

void mpi_errors_add_others(struct finding *finding, const struct cause_text *text, const struct process *failing)
{
    const struct job *job = text->waits->index.job;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        for (size_t j = 0; process != failing && j < process->thread_count; j++) {
            const struct thread *thread = &process->threads[j];
            if (thread->ended || thread->function[0] == '\0')
                continue;
            evidence_add(&finding->evidence, process->rank, 0,
                         arena_text("in %s", describe_call(process, thread, text->labels)),
                         evidence_place(thread->site, thread->function), thread->age_s);
            break;
        }
    }
}

/* Removes the finding that blames a rank whose call has failed: the error takes its place, with its ranks. */
static struct finding *take_finding(struct findings *findings, int rank)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct finding *finding = &findings->items[i];
        if (finding->kind == FINDING_MPI_ERROR || !ranks_has(&finding->culprits, rank))
            continue;
        *finding = (struct finding){.kind = FINDING_MPI_ERROR, .ranks = finding->ranks};
        return finding;
    }
    return findings_add(findings, FINDING_MPI_ERROR);
}

/* The receive was for a message that comes before each such long one: whoever has left it out is to blame. */
static void add_left_out_message(struct finding *finding, const struct failed_call *call,
                                 const struct long_message *message)
{
    const struct communicator *communicator = message->send != NULL ? communicator_of(message->sender, call) : NULL;
    if (communicator == NULL)
        return;
    const struct unannounced left_out = unannounced_find(message->sender, communicator, message->send);
    const struct operation *usual = left_out.usual.operation;
    if (left_out.count == 0 || usual->details->bytes != call->bytes)
        return;
    finding->message =
        arena_text("%s; rank %d has left out the message of %lld bytes that it sent with %s%s before each of the %zu "
                   "others of that place",
                   finding->message, message->sender->rank, (long long)usual->details->bytes, usual->details->function,
                   describe_at(usual->details->site), left_out.count);
    finding->remedy = advise_on_left_out_message(&left_out.usual);
    finding->culprits = (struct ranks){0};
    ranks_add(&finding->ranks, message->sender->rank);
    ranks_add(&finding->culprits, message->sender->rank);
}

static void add_missed_message(struct finding *finding, const struct process *process, const struct failed_call *call,
                               const struct long_message *message)
{
    const struct operation *missed = find_missed_message(process, call, message);
    if (missed == NULL) {
        add_left_out_message(finding, call, message);
        return;
    }
    finding->message = arena_text(
        "%s; a message of %lld bytes with tag %d, which rank %d had sent before with %s%s, was never received",
        finding->message, (long long)call->bytes, (int)missed->tag, (int)missed->actual_world,
        missed->details->function, describe_at(missed->details->site));
    finding->remedy = arena_text("use the same tag on both sides, %d or %d, if that message was meant; else %s",
                                 (int)call->tag, (int)missed->tag, finding->remedy);
    ranks_add(&finding->ranks, missed->actual_world);
    ranks_add(&finding->culprits, missed->actual_world);
}

void mpi_errors_find(const struct cause_text *text, struct findings *findings)
{
    const struct job *job = text->waits->index.job;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        const struct failed_call *raised = find_raised(process);
        const struct failed_call *call = raised != NULL ? raised : find_thrown(process);
        /* A handler that has been called just now may come back. */
        if (call == NULL || (job_was_watched(job) && call->age_s >= 0 && call->age_s < job->interval_s))
            continue;
        struct finding *finding = take_finding(findings, process->rank);
        finding->confirmed = true;
        const struct long_message message = find_long_message(&text->waits->index, process, call);
        finding->message = describe_error(text, process, call, &message);
        finding->remedy = advise(call);
        if (raised == NULL)
            finding->message = arena_text("%s; the exception has ended its Python program", finding->message);
        ranks_add(&finding->ranks, process->rank);
        ranks_add(&finding->culprits, process->rank);
        add_missed_message(finding, process, call, &message);
        add_said(finding, process, call);
        mpi_errors_add_others(finding, text, process);
        finding_finish(finding);
    }
}

/* Whether a rank that has died has made no other message or collective call after this one, as far as is known. */
static bool was_last(const struct process *process, const struct failed_call *call)
{
    const struct last_call made = last_call_find(process);
    return made.function == NULL || made.ticks <= call->last_time;
}

/* "...; before that, rank 0's MPI_Recv at a.c:4 had failed with MPI_ERR_RANK"; where the message ends with that call,
 * "..., which had failed with MPI_ERR_RANK". */
static const char *describe_failed_before(const char *message, const struct process *process,
                                          const struct failed_call *call)
{
    const char *at = describe_at(call->site);
    const char *class = call->error_class[0] != '\0' ? call->error_class : "an error";
    const char *end = arena_text(", after %s%s", call->function, at);
    const size_t length = strlen(message), end_length = strlen(end);
    if (length > end_length && strcmp(message + length - end_length, end) == 0)
        return arena_text("%s, which had failed with %s", message, class);
    return arena_text("%s; before that, rank %d's %s%s had failed with %s", message, process->rank, call->function, at,
                      class);
}

/* A message or collective call that the others may be waiting for, and that never was; or the last call of a rank that
 * has died. The first one counts. */
static void tell_returned(struct finding *finding, const struct process *process, const struct failed_call *call)
{
    const bool is_message =
        (call->operation & MPILENS_OPERATION_MESSAGE_CLASSES) != 0 &&
        (call->peer_world < 0 || is_of_class(call, "MPI_ERR_RANK") || ranks_has(&finding->ranks, call->peer_world) ||
         ranks_has(&finding->culprits, call->peer_world));
    const bool has_died = finding->kind == FINDING_RANK_DIED && ranks_has(&finding->culprits, process->rank);
    const bool is_missed = has_died ? was_last(process, call) : is_message || call->collective != 0;
    if (!is_missed || finding->kind == FINDING_MPI_ERROR || strstr(finding->message, " had failed with ") != NULL)
        return;
    finding->message = describe_failed_before(finding->message, process, call);
    if (has_died && process->exit_status > 0 && advise(call) != NULL)
        finding->remedy = advise(call); /* which it may have looked at before it has left */
    if (has_died)
        return;
    finding->remedy = arena_text("look at what %s returns%s: it has not done what was asked", call->function,
                                 describe_at(call->site));
}

void mpi_errors_add_returned(const struct job *job, const struct communicator_labels *labels, struct finding *finding)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!ranks_has(&finding->ranks, process->rank) && !ranks_has(&finding->culprits, process->rank))
            continue;
        for (size_t j = 0; j < process->failed_call_count; j++) {
            const struct failed_call *call = &process->failed_calls[j];
            if (!call->returned || (finding->kind == FINDING_MPI_ERROR && call == find_thrown(process)))
                continue;
            evidence_add(&finding->evidence, process->rank, 0, describe_returned_failure(call, labels),
                         evidence_place(call->site, call->function), call->age_s);
            tell_returned(finding, process, call);
        }
    }
}

const char *mpi_errors_remark(const struct job *job, const struct communicator_labels *labels, const char *remark)
{
    const struct failed_call *first = NULL;
    size_t places = 0;
    int rank = -1;
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].failed_call_count; j++) {
            const struct failed_call *call = &job->processes[i].failed_calls[j];
            if (!call->returned)
                continue;
            if (places++ == 0) {
                first = call;
                rank = job->processes[i].rank;
            }
        }
    if (first == NULL)
        return remark;
    const char *described = describe_returned_failure(first, labels), *at = describe_at(first->site);
    const char *more = places > 1 ? arena_text(", and %zu more failed", places - 1) : "";
    const char *text = arena_text("%s%srank %d %s%s%s", remark != NULL ? remark : "", remark != NULL ? "; " : "", rank,
                                  described, at, more);
    return text;
}
