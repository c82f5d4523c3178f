/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that fits a waiting receive in all but its tag, its communicator or its source.
 */
#include "analysis/faults/faults.h"

#include "analysis/calls/calls.h"
#include "analysis/causes/causes.h"
#include "base/base.h"
#include "model/model.h"

static bool is_about_messages(const struct process *process, const struct thread *call)
{
    switch (call->call_class) {
    case MPILENS_CALL_POINT_TO_POINT:
    case MPILENS_CALL_PROBE:
    case MPILENS_CALL_IPROBE:
        return true;
    case MPILENS_CALL_WAIT:
    case MPILENS_CALL_TEST:
        return find_request(process, call->waiting_known > 0 ? call->waiting[0] : 0) == NULL;
    default:
        return false;
    }
}

/* Whether the one that should send waits in a call that is about messages: then it may come to send yet, unless it is
 * the receiver itself. */
static bool source_exchanges_messages(const struct waits *waits, const struct wanted_message *wanted)
{
    const struct process *source = job_index_process(&waits->index, wanted->peer_world);
    if (source == wanted->receiver)
        return false;
    for (size_t i = 0; source != NULL && !process_is_gone(source) && i < source->thread_count; i++) {
        const struct thread *thread = &source->threads[i];
        for (size_t j = 0; thread_is_blocked(thread) && j <= thread->other_poll_count; j++)
            if (is_about_messages(source, find_poll(thread, j)))
                return true;
    }
    return false;
}

/* Whether another receive took what is wanted, and left this message of another source. */
static bool is_left_by_thief(const struct cause *cause, const struct near_miss *miss)
{
    const struct operation *left = NULL;
    return miss->kind == FINDING_SOURCE_MISMATCH && find_stealing_receive(&cause->wanted, &left) != NULL &&
           left != NULL;
}

/* Whether the source would send if it had not made a collective call once more. */
static bool source_repeats_call(const struct waits *waits, const struct wanted_message *wanted)
{
    const struct process *source = job_index_process(&waits->index, wanted->peer_world);
    const struct communicator *communicator = wanted->communicator;
    const struct communicator *theirs = source != NULL ? find_communicator(source, communicator->id) : NULL;
    const struct wait_subject call = {
        .kind = SUBJECT_COLLECTIVE, .communicator = theirs, .serial = theirs != NULL ? theirs->collective_calls : 0};
    return call.serial > 1 && meeting_is_repeated_by(waits, &call, source);
}

static bool try_near_miss(const struct waits *waits, struct cause *cause)
{
    struct near_miss miss;
    if (!near_miss_find(&waits->index, &cause->wanted, !source_exchanges_messages(waits, &cause->wanted), &miss) ||
        is_left_by_thief(cause, &miss) || tag_gap_is_before(&cause->wanted, miss.message) ||
        (miss.kind == FINDING_TAG_MISMATCH && tag_gap_has_row_of_others(&cause->wanted, miss.message)) ||
        (near_miss_may_be_early(&cause->wanted, &miss) && cause_holds_source_up(waits, cause)) ||
        (miss.kind == FINDING_SOURCE_MISMATCH &&
         (wanted_source_has_left(&waits->index, &cause->wanted) || source_repeats_call(waits, &cause->wanted))))
        return false;
    cause->near_miss = miss;
    cause->kind = cause->near_miss.kind;
    cause_add_culprit(cause, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->near_miss.message->peer_world);
    return true;
}

/* As try_near_miss, for a message that, as far as known, will never be received. */
static bool try_late(const struct waits *waits, struct cause *cause)
{
    struct near_miss miss;
    return near_miss_find(&waits->index, &cause->wanted, false, &miss) &&
           !near_miss_may_be_early(&cause->wanted, &miss) && try_near_miss(waits, cause);
}

static bool recognize(const struct waits *waits, struct cause *cause)
{
    return cause_look_at_wanted(waits, cause, try_late) || cause_look_at_wanted(waits, cause, try_near_miss);
}

/* "is from rank 3, not 1"; where the communicator numbers its ranks anew: "is from rank 3 (world 0) of row, not rank 0
 * (world 3)". */
static void write_source(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->near_miss.message;
    const struct wanted_message *wanted = &cause->wanted;
    if (message->peer_local == message->peer_world && wanted->peer_local == wanted->peer_world) {
        fprintf(stream, "is from rank %d, not %d", message->peer_local, wanted->peer_local);
        return;
    }
    fprintf(stream, "is from rank %s of %s, not rank %s", describe_rank(message->peer_local, message->peer_world),
            find_label(text->labels, cause->near_miss.communicator->id),
            describe_rank(wanted->peer_local, wanted->peer_world));
}

static void write_difference(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    switch (cause->kind) {
    case FINDING_TAG_MISMATCH:
        fprintf(stream, "has tag %d, not %d", cause->near_miss.message->tag, cause->wanted.tag);
        break;
    case FINDING_COMMUNICATOR_MISMATCH:
        fprintf(stream, "was sent on %s, not %s", find_label(text->labels, cause->near_miss.communicator->id),
                find_label(text->labels, cause->wanted.communicator->id));
        break;
    default:
        write_source(stream, text, cause);
    }
}

static void describe(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->near_miss.message;
    /* The sender may have forgotten a message that the receiver's MPI has. */
    const char *with = message->details->function[0] != '\0' ? " with " : "";
    const char *at = describe_at(message->details->site);
    cause_write_stuck(stream, text, cause);
    if (cause->kind == FINDING_SOURCE_MISMATCH)
        fprintf(stream, "; the message sent%s%s%s would fit, but ", with, message->details->function, at);
    else
        fprintf(stream, "; the message that rank %d sent it%s%s%s ", message->peer_world, with,
                message->details->function, at);
    write_difference(stream, text, cause);
}

static const char *advise_on_source(const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->near_miss.message;
    const bool renumbers =
        message->peer_local != message->peer_world || cause->wanted.peer_local != cause->wanted.peer_world;
    return arena_text("receive from rank %d%s%s, or have rank %d send", message->peer_local, renumbers ? " of " : "",
                      renumbers ? find_label(text->labels, cause->near_miss.communicator->id) : "",
                      cause->wanted.peer_local);
}

/* Where tags rise, the message may be right, and another one before it left out. */
static const char *advise_on_tag(const struct cause *cause)
{
    static const char *const same = "use the same tag at both places";
    return near_miss_may_be_early(&cause->wanted, &cause->near_miss)
               ? arena_text("%s; or, if the message with tag %d was left out, send it", same, cause->wanted.tag)
               : same;
}

static const char *advise(const struct cause_text *text, const struct cause *cause)
{
    switch (cause->kind) {
    case FINDING_TAG_MISMATCH:
        return advise_on_tag(cause);
    case FINDING_COMMUNICATOR_MISMATCH:
        return "use the same communicator at both places";
    default:
        return advise_on_source(text, cause);
    }
}

static void add_evidence(const struct cause_text *text, const struct cause *cause, struct finding *finding)
{
    cause_add_unreceived(text, cause->near_miss.message, cause->near_miss.communicator, finding);
    cause_add_idle(text, cause, finding);
}

const struct fault fault_near_miss = {
    .recognize = recognize,
    .describe = describe,
    .advise = advise,
    .add_evidence = add_evidence,
};
