/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Judges ranks that wait for nothing but the MPI library.
 */

#include "analysis/causes/causes.h"
#include "analysis/stalls/stalls_internal.h"
#include "base/base.h"
#include "model/model.h"

#include <string.h>

/* Shorter waits are of no interest: jobs wait all the time. */
static const double least_age_s = 5;

/* Messages of one rank that are told. */
enum { MOST_SENDS = 4 };

/* A rank that gets little processor time is given longer, but not for ever. */
static const double least_share = 0.1;

/* An unread process may be the one that the others wait for, without a trace. */
static bool all_were_read(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].reason != NULL || job->processes[i].torn_records > 0)
            return false;
    return job->absent.count == 0 && job->size >= 0 && job->process_count >= (size_t)job->size;
}

/* The patience is for ranks that have a processor of their own. */
static double patience_with(const struct waits *waits, const struct stalled_ranks *stalled)
{
    return waits->options->patience_s / (stalled->least_share > least_share ? stalled->least_share : least_share);
}

static bool is_of_file(const struct waits *waits, const struct stalled_ranks *stalled)
{
    const struct object *object =
        stalled->meeting != NO_NODE && waits->subjects[stalled->meeting].kind == SUBJECT_COLLECTIVE
            ? waits->subjects[stalled->meeting].object
            : NULL;
    return object != NULL && object->file != NULL;
}

/* Whether bytes have come within the patience: it goes on, and only slowly. */
static bool moves(const struct waits *waits, const struct stalled_ranks *stalled)
{
    const bool has_come =
        stalled->silent_s >= 0 && stalled->silent_s <= waits->options->patience_s && stalled->silent_s < stalled->age_s;
    return stalled->moved_bytes > 0 || stalled->copies || has_come ||
           (is_of_file(waits, stalled) && stalled->file_bytes > 0);
}

/* "all 4 ranks", "ranks [0-2]". */
static const char *name_ranks(const struct job *job, const struct ranks *ranks)
{
    return ranks->count > 1 && job->size > 0 && ranks->count == (size_t)job->size
               ? arena_text("all %zu ranks", ranks->count)
               : ranks_name(ranks);
}

enum fit {
    FIT_OF_MESSAGES,
    FIT_WITHOUT_ARGUMENTS,
    FIT_EQUAL_ARGUMENTS,
    FIT_NOT_COMPARED, /* their amounts may not fit together */
};

static enum fit find_fit(const struct waits *waits, const struct stalled_ranks *stalled)
{
    if (stalled->meeting == NO_NODE)
        return FIT_OF_MESSAGES;
    const struct wait_subject *meeting = &waits->subjects[stalled->meeting];
    bool has_arguments;
    if (meeting->kind == SUBJECT_CALL)
        return FIT_WITHOUT_ARGUMENTS;
    const struct collective_round *round = &meeting_find_round(waits, meeting, meeting->serial)->round;
    if (!collective_round_is_compared(round, &has_arguments))
        return round_amounts_are_compared(round) ? FIT_EQUAL_ARGUMENTS : FIT_NOT_COMPARED;
    return has_arguments ? FIT_EQUAL_ARGUMENTS : FIT_WITHOUT_ARGUMENTS;
}

/* In what their calls fit together, as far as the sentence has not said it. */
static const char *describe_fit(const struct waits *waits, const struct stalled_ranks *stalled, size_t group_count)
{
    const bool all_wait = stalled->waiting.count == stalled->involved.count ||
                          (stalled->meeting != NO_NODE && waits->subjects[stalled->meeting].kind == SUBJECT_CALL);
    switch (find_fit(waits, stalled)) {
    case FIT_OF_MESSAGES:
        return group_count == 1 ? ", and the other end is there," : ",";
    case FIT_EQUAL_ARGUMENTS:
        return all_wait ? ", with equal arguments," : ", to which all have come with equal arguments,";
    default:
        return all_wait ? "" : ", to which all have come,";
    }
}

/* "all 4 ranks are in the same MPI_Allreduce(call 17 on MPI_COMM_WORLD) at a.c:9, with equal arguments,"; "ranks [0,1]
 * are in calls that fit together: rank 0 is in MPI_Send(...) at a.c:4; rank 1 is in MPI_Recv(...) at a.c:5,". */
static const char *describe_meeting(const struct cause_text *text, const struct stalled_ranks *stalled)
{
    const bool is_message = stalled->meeting == NO_NODE;
    struct evidence_list groups = rank_groups_find(text, &stalled->waiting);
    const char *names = name_ranks(text->waits->job, &stalled->waiting);
    const bool several = stalled->waiting.count > 1;
    FILE *stream = arena_open();
    fprintf(stream, "%s %s in ", names, several ? "are" : "is");
    if (groups.count == 1 && groups.left_out == 0) {
        const char *call = groups.items[0].text;
        const bool is_in = strncmp(call, "in ", strlen("in ")) == 0;
        fprintf(stream, "%s%s", several && !is_message ? "the same " : "", is_in ? call + strlen("in ") : "MPI");
    } else {
        fputs(is_message ? "calls that fit together" : "one collective call", stream);
        rank_groups_write(stream, &groups);
    }
    fputs(describe_fit(text->waits, stalled, groups.count), stream);
    return arena_close(stream);
}

/* Describes what was seen to be still, and the limits of what can be seen. */
static const char *describe_silence(const struct stalled_ranks *stalled)
{
    if (stalled->watched_s == 0)
        return "";
    return arena_text(" (%s; %s%s)",
                      stalled->connections > 0 ? "nothing moves on their connections of TCP"
                                               : "they have no connections of TCP",
                      stalled->shares_memory ? "the memory that they share does not change"
                                             : "what moves in shared memory is not seen",
                      stalled->has_devices ? "; what moves by other devices is not seen" : "");
}

/* "which sleeps in poll", "each of which is stopped by a signal". */
static const char *describe_suspicion(const struct stall_suspects *suspects)
{
    const char *which = suspects->ranks.count == 1 ? "which"
                        : suspects->are_alike      ? "each of which"
                                                   : "the first of which";
    return arena_text("%s %s", which, suspects->said);
}

static const struct process *first_suspect(const struct cause_text *text, const struct stall_suspects *suspects)
{
    return job_index_process(&text->waits->index, ranks_first(&suspects->ranks));
}

/* "the program has done its part", as far as that is known. */
static const char *describe_done(const struct waits *waits, const struct stalled_ranks *stalled)
{
    return find_fit(waits, stalled) == FIT_NOT_COMPARED ? "what they give each other was not compared"
                                                        : "the program has done its part";
}

static const char *describe_blame(const struct cause_text *text, const struct stalled_ranks *stalled,
                                  const struct stall_suspects *suspects)
{
    const char *done = describe_done(text->waits, stalled);
    const char *library = find_fit(text->waits, stalled) == FIT_NOT_COMPARED
                              ? "if that fits together, the MPI library or the network does not go on"
                              : "the MPI library or the network has not";
    const struct process *first = first_suspect(text, suspects);
    const char *silence = describe_silence(stalled);
    const char *names = ranks_name(&suspects->ranks);
    const char *suspicion = first != NULL ? describe_suspicion(suspects) : NULL;
    const char *blame;
    if (first != NULL && describe_standstill(first) != NULL)
        blame = suspects->ranks.count == 1 ? arena_text("%s, but %s %s", done, names, suspects->said)
                                           : arena_text("%s, but look at %s, %s", done, names, suspicion);
    else if (first != NULL)
        blame = arena_text("%s; %s%s; look at %s first, %s", done, library, silence, names, suspicion);
    else
        blame = arena_text("%s; %s%s", done, library, silence);
    return blame;
}

static const char *advise(const struct cause_text *text, const struct stalled_ranks *stalled,
                          const struct stall_suspects *suspects)
{
    const struct process *first = first_suspect(text, suspects);
    if (first != NULL && first->kernel != NULL && first->kernel->frozen)
        return arena_text("find out who has frozen the control group of rank %d, and thaw it", first->rank);
    if (first != NULL && describe_standstill(first) != NULL)
        return arena_text("let rank %d go on: kill -CONT, or the debugger that holds it", first->rank);
    if (find_fit(text->waits, stalled) == FIT_NOT_COMPARED)
        return "compare what each rank gives every other one with what that expects; if it fits, look for "
               "messages of the network and of the kernel on their hosts";
    return "look for messages of the network and of the kernel on the hosts of these ranks, and try another "
           "transport of the MPI library";
}

/* The send that is over, whose message a receive still waits for; NULL: the sender is in it, or does not remember. */
static const struct operation *find_ended_send(const struct waits *waits, const struct operation *receive,
                                               const struct communicator *communicator,
                                               const struct process **ret_sender)
{
    const struct process *sender = job_index_process(&waits->index, receive->match_rank);
    const struct communicator *theirs = sender != NULL ? find_communicator(sender, communicator->id) : NULL;
    for (size_t i = theirs != NULL && receive->match_serial != 0 ? theirs->completed.count : 0; i > 0; i--) {
        const struct operation *send = &theirs->completed.items[i - 1];
        if (send->serial != receive->match_serial || (send->flags & MPILENS_OPERATION_SEND) == 0)
            continue;
        *ret_sender = sender;
        return send;
    }
    return NULL;
}

/* Where the messages come from that ranks wait for, and whose senders have gone on. */
static void add_sends(const struct cause_text *text, const struct process *process, struct finding *finding)
{
    for (size_t i = 0; i < process->thread_count; i++)
        for (size_t j = 0; j < process->threads[i].waiting_known && j < MOST_SENDS; j++) {
            const struct communicator *communicator = NULL;
            const struct process *sender = NULL;
            const struct operation *operation = find_operation(process, process->threads[i].waiting[j], &communicator);
            const struct operation *send =
                operation != NULL && communicator != NULL && (operation->flags & MPILENS_OPERATION_RECEIVE) != 0
                    ? find_ended_send(text->waits, operation, communicator, &sender)
                    : NULL;
            if (send == NULL)
                continue;
            const char *fate = arena_text(", which rank %d still waits for", process->rank);
            cause_add_sent(text, sender->rank, send, communicator, fate, finding);
        }
}

static void add_finding(const struct cause_text *text, const struct stalled_ranks *stalled, struct findings *findings)
{
    struct stall_suspects suspects = stall_find_suspects(text->waits, stalled);
    const char *meeting = describe_meeting(text, stalled);
    const char *blame = describe_blame(text, stalled, &suspects);
    const char *age = describe_age(stalled->age_s);
    struct finding *finding = findings_add(findings, FINDING_LIBRARY_STALL);
    finding->message =
        arena_text("%s and %s been for %s: %s", meeting, stalled->waiting.count > 1 ? "have" : "has", age, blame);
    finding->remedy = advise(text, stalled, &suspects);
    ranks_add_all(&finding->ranks, &stalled->involved);
    ranks_add_all(&finding->culprits, &suspects.ranks);
    finding_finish(finding);
    stall_add_evidence(text->waits, stalled, &suspects, finding);
    for (size_t i = 0; i < stalled->involved.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, stalled->involved.items[i]);
        if (process != NULL)
            add_sends(text, process, finding);
        if (process != NULL)
            add_process_evidence(text, process, finding);
    }
    finding->confirmed = job_was_watched(text->waits->job);
}

static const char *describe_rate(const struct stalled_ranks *stalled)
{
    if (stalled->moved_bytes == 0 || stalled->watched_s <= 0) {
        return arena_text("the last bytes on their connections came %s ago", describe_age(stalled->silent_s));
    }
    const double rate = (double)stalled->moved_bytes / 2 / stalled->watched_s; /* each byte is counted at both ends */
    return rate >= 1e6 ? arena_text("%.1f MB/s move on their connections", rate / 1e6)
                       : arena_text("%.1f kB/s move on their connections", rate / 1e3);
}

static const char *describe_rest(const struct cause_text *text, const struct stalled_ranks *stalled)
{
    if (moves(text->waits, stalled)) {
        const char *rate = stalled->file_bytes > 0 && is_of_file(text->waits, stalled)
                               ? "data of files is read or written"
                           : stalled->copies ? "memory is copied, or what they share changes"
                                             : describe_rate(stalled);
        return arena_text("slow, not stalled: %s", rate);
    }
    const char *done = describe_done(text->waits, stalled);
    const double patience_s = patience_with(text->waits, stalled);
    const double left_s = patience_s - stalled->age_s;
    if (left_s < 0)
        return arena_text("%s; it is not known whether anything moves", done);
    const char *left = describe_age(left_s);
    const char *patience = describe_age(patience_s);
    const char *rest = arena_text("%s; if nothing moves, that is a finding after %s, in %s", done, patience, left);
    if (patience_s > text->waits->options->patience_s)
        rest = arena_text("%s: --patience is longer for ranks that get %.0f %% of the processor time they need", rest,
                          100 * stalled->least_share);
    return rest;
}

static const char *describe_stall(const struct cause_text *text, const struct stalled_ranks *stalled)
{
    const char *meeting = describe_meeting(text, stalled);
    return arena_text("%s and %s been for %s: %s", meeting, stalled->waiting.count > 1 ? "have" : "has",
                      describe_age(stalled->age_s), describe_rest(text, stalled));
}

void library_stall_find(const struct cause_text *text, struct findings *findings, const char **ret_remark)
{
    const struct waits *waits = text->waits;
    const bool may_judge = all_were_read(waits->job) && job_was_watched(waits->job);
    struct stalls stalls = stalls_find(waits);
    const size_t before = findings->count;
    *ret_remark = NULL;
    for (size_t i = 0; i < stalls.count && may_judge; i++)
        if (stalls.items[i].is_known && stalls.items[i].age_s > patience_with(waits, &stalls.items[i]) &&
            !moves(waits, &stalls.items[i]))
            add_finding(text, &stalls.items[i], findings);
    if (findings->count == before && may_judge && stalls.count > 0 && stalls.items[0].age_s >= least_age_s)
        *ret_remark = describe_stall(text, &stalls.items[0]);
}
