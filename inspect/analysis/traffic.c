/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes findings about messages that are too long or that pile up.
 */
#include "analysis/analysis_internal.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "analysis/faults/faults.h"
#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

static bool waits_for(const struct process *process, uint64_t serial)
{
    for (size_t i = 0; i < process->thread_count; i++)
        for (size_t j = 0; thread_is_blocked(&process->threads[i]) && j < process->threads[i].waiting_known; j++)
            if (process->threads[i].waiting[j] == serial)
                return true;
    return false;
}

/* The send that the receive matches, if it is as old as it must be: one that was made while the job was read may have
 * ended the receive since. */
static const struct operation *find_matching_send(const struct cause_text *text, const struct process *sender,
                                                  const struct communicator *communicator,
                                                  const struct operation *receive)
{
    const struct communicator *theirs = NULL;
    const struct operation *pending = find_operation(sender, receive->match_serial, &theirs);
    if (pending != NULL)
        return pending;
    theirs = find_communicator(sender, communicator->id);
    for (size_t i = 0; theirs != NULL && i < theirs->completed.count; i++)
        if (theirs->completed.items[i].serial == receive->match_serial)
            return theirs->completed.items[i].age_s > text->waits->job->interval_s ? &theirs->completed.items[i] : NULL;
    return NULL;
}

static void check_size(const struct cause_text *text, const struct process *process,
                       const struct communicator *communicator, const struct operation *receive,
                       struct findings *findings)
{
    const struct process *sender = job_index_process(&text->waits->index, receive->match_rank);
    const struct operation *send = sender != NULL ? find_matching_send(text, sender, communicator, receive) : NULL;
    if (send == NULL || receive->details->bytes < 0 || send->details->bytes <= receive->details->bytes ||
        receive->match_is_possible || !waits_for(process, receive->serial))
        return;
    struct finding *finding = findings_add(findings, FINDING_SIZE_MISMATCH);
    finding->message = arena_text("the message that rank %d sends with %s%s has %lld bytes, more than the %lld "
                                  "that fit into %s%s of rank %d",
                                  sender->rank, send->details->function, describe_at(send->details->site),
                                  (long long)send->details->bytes, (long long)receive->details->bytes,
                                  describe_operation(receive, communicator, text->labels),
                                  describe_at(receive->details->site), process->rank);
    finding->remedy = advise_on_size();
    ranks_add(&finding->ranks, sender->rank);
    ranks_add(&finding->ranks, process->rank);
    ranks_add(&finding->culprits, sender->rank);
    ranks_add(&finding->culprits, process->rank);
    finding_finish(finding);
    add_process_evidence(text, sender, finding);
    add_process_evidence(text, process, finding);
    finding->confirmed = job_was_watched(text->waits->job);
}

/* The receive that the process is blocked in; NULL: it is in none. */
static const struct operation *find_blocked_receive(const struct process *process,
                                                    const struct communicator *communicator)
{
    for (size_t i = 0; i < communicator->receives.count; i++) {
        const struct operation *receive = &communicator->receives.items[i];
        if (receive->status == mqs_st_pending && waits_for(process, receive->serial))
            return receive;
    }
    return NULL;
}

/* "; it waits for tag 6, but these have tag 5": where all that are known have the same one, which it does not wait for.
 */
static const char *describe_other_tag(const struct process *process, const struct communicator *communicator)
{
    const struct operation *receive = find_blocked_receive(process, communicator);
    const struct operations *unexpected = &communicator->unexpected;
    if (receive == NULL || receive->tag_wild || unexpected->count == 0 || unexpected->items[0].tag == receive->tag)
        return "";
    for (size_t i = 1; i < unexpected->count; i++)
        if (unexpected->items[i].tag != unexpected->items[0].tag)
            return "";
    return arena_text("; it waits for tag %d, but these have tag %d", receive->tag, unexpected->items[0].tag);
}

/* NULL: nothing is known of any send. */
static const struct operation *find_newest(const struct operations *unexpected)
{
    const struct operation *newest = NULL;
    for (size_t i = 0; i < unexpected->count; i++) {
        const struct operation *message = &unexpected->items[i];
        if (message->details->function[0] != '\0' && (newest == NULL || message->age_s <= newest->age_s))
            newest = message;
    }
    return newest;
}

/* "; the newest is from rank 1, sent with MPI_Send at ring.c:22"; "" where none is known. */
static const char *describe_newest(const struct operations *unexpected)
{
    const struct operation *newest = find_newest(unexpected);
    if (newest == NULL)
        return "";
    const char *at = describe_at(newest->details->site);
    const char *sent =
        arena_text("; the newest is from rank %d, sent with %s%s", newest->peer_world, newest->details->function, at);
    return sent;
}

static void check_growth(const struct cause_text *text, const struct process *process,
                         const struct communicator *communicator, struct findings *findings)
{
    const uint64_t unreceived = count_unreceived(communicator);
    if (unreceived <= text->waits->options->growth || communicator->unreceived_growth == 0)
        return;
    struct finding *finding = findings_add(findings, FINDING_QUEUE_GROWTH);
    finding->message = arena_text(
        "%llu messages queue up at rank %d on %s, %llu more than %.1f s earlier, and it receives none of them%s%s",
        (unsigned long long)unreceived, process->rank, find_label(text->labels, communicator->id),
        (unsigned long long)communicator->unreceived_growth, text->waits->job->interval_s,
        describe_newest(&communicator->unexpected), describe_other_tag(process, communicator));
    finding->remedy = "receive these messages, or make the sender wait for the receiver from time to time, "
                      "for example with MPI_Ssend";
    ranks_add(&finding->culprits, process->rank);
    ranks_add(&finding->ranks, process->rank);
    for (size_t i = 0; i < communicator->unexpected.count; i++)
        ranks_add(&finding->ranks, communicator->unexpected.items[i].peer_world);
    finding_finish(finding);
    add_process_evidence(text, process, finding);
    finding->confirmed = true;
}

void traffic_find(const struct cause_text *text, struct findings *findings)
{
    const struct job *job = text->waits->job;
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            const struct communicator *communicator = &job->processes[i].communicators[j];
            for (size_t k = 0; k < communicator->receives.count; k++)
                if (communicator->receives.items[k].match_rank >= 0)
                    check_size(text, &job->processes[i], communicator, &communicator->receives.items[k], findings);
            check_growth(text, &job->processes[i], communicator, findings);
        }
}
