/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes that lie in messages: what a receive or probe waits for in vain was lost, nearly fits, was not sent, or was
 * taken by another receive.
 */
#include "analysis/cause.h"

#include "analysis/sent_before.h"

static bool waits_for_message(const struct wait_subject *subject)
{
    return wait_subject_is_message(subject) &&
           (subject->kind != SUBJECT_OPERATION || (subject->operation->flags & MPILENS_OPERATION_RECEIVE) != 0);
}

static struct wanted_message wanted_by(const struct waits *waits, const struct wait_subject *subject)
{
    const struct process *process = &waits->job->processes[subject->process];
    if (subject->kind == SUBJECT_OPERATION)
        return (struct wanted_message){.receiver = process,
                                       .communicator = subject->communicator,
                                       .peer_local = subject->operation->peer_local,
                                       .peer_world = subject->operation->peer_world,
                                       .tag = subject->operation->tag,
                                       .tag_wild = subject->operation->tag_wild,
                                       .bytes = subject->operation->bytes,
                                       .count = subject->operation->count,
                                       .datatype = subject->operation->datatype};
    const struct thread *call = wait_subject_call(subject);
    return (struct wanted_message){.receiver = process,
                                   .communicator = find_communicator(process, call->communicator_id),
                                   .peer_local = call->peer_local,
                                   .peer_world = call->peer_world,
                                   .tag = call->tag,
                                   .tag_wild = call->tag_wild,
                                   .bytes = -1};
}

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

bool cause_find_wanted(const struct waits *waits, uint32_t node, struct wanted_message *ret_wanted)
{
    const struct wait_subject *subject = &waits->subjects[node];
    if (!waits->graph.nodes[node].dead || !waits_for_message(subject))
        return false;
    const struct wanted_message wanted = wanted_by(waits, subject);
    if (wanted.communicator == NULL)
        return false;
    *ret_wanted = wanted;
    return true;
}

/* Calls `look` with every node that waits for a message, until one is true. */
static bool look_at_wanted(const struct waits *waits, struct cause *cause,
                           bool (*look)(const struct waits *, struct cause *))
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        cause->wanting = nodes[i];
        cause->has_wanted = cause_find_wanted(waits, nodes[i], &cause->wanted) && look(waits, cause);
        if (cause->has_wanted)
            return true;
    }
    return false;
}

/* Whether a receive from any source took what is wanted, and left this message of another source. */
static bool is_left_by_thief(const struct cause *cause, const struct near_miss *miss)
{
    const struct operation *left = NULL;
    return miss->kind == FINDING_SOURCE_MISMATCH && find_stealing_receive(&cause->wanted, &left) != NULL &&
           left != NULL;
}

static bool try_near_miss(const struct waits *waits, struct cause *cause)
{
    struct near_miss miss;
    if (!near_miss_find(&waits->index, &cause->wanted, !source_exchanges_messages(waits, &cause->wanted), &miss) ||
        is_left_by_thief(cause, &miss))
        return false;
    cause->near_miss = miss;
    cause->kind = cause->near_miss.kind;
    cause_add_culprit(cause, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->near_miss.message->peer_world);
    return true;
}

static bool try_lost(const struct waits *waits, struct cause *cause)
{
    cause->lost = lost_message_find(&waits->index, &cause->wanted);
    if (cause->lost.receive == NULL)
        return false;
    cause->kind = FINDING_SIZE_MISMATCH;
    cause_add_culprit(cause, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->lost.receive->actual_world);
    return true;
}

static bool try_skipped(const struct waits *waits, struct cause *cause)
{
    cause->later = sent_before_find_later(&waits->index, &cause->wanted);
    if (cause->later == NULL)
        return false;
    cause->kind = FINDING_NO_MATCH;
    ranks_add(&cause->ranks, cause->wanted.receiver->rank);
    cause_add_culprit(cause, cause->wanted.peer_world);
    return true;
}

static bool try_stolen(const struct waits *waits, struct cause *cause)
{
    (void)waits;
    cause->taken = find_stealing_receive(&cause->wanted, &cause->left);
    if (cause->taken == NULL)
        return false;
    cause->kind = FINDING_NO_MATCH;
    cause_add_culprit(cause, cause->wanted.receiver->rank);
    ranks_add(&cause->ranks, cause->taken->actual_world);
    return true;
}

static bool note_other_source(const struct waits *waits, struct cause *cause)
{
    return near_miss_find(&waits->index, &cause->wanted, true, &cause->near_miss);
}

/* A message that went elsewhere: no kind of its own, as it may be meant for there. */
static bool note_stray(const struct waits *waits, struct cause *cause)
{
    cause->stray = find_stray_message(&waits->index, &cause->wanted);
    return cause->stray != NULL;
}

bool cause_try_lost_message(const struct waits *waits, struct cause *cause)
{
    return look_at_wanted(waits, cause, try_lost);
}

bool cause_try_near_miss(const struct waits *waits, struct cause *cause)
{
    return look_at_wanted(waits, cause, try_near_miss);
}

bool cause_try_skipped_message(const struct waits *waits, struct cause *cause)
{
    return look_at_wanted(waits, cause, try_skipped);
}

bool cause_try_stolen_message(const struct waits *waits, struct cause *cause)
{
    return look_at_wanted(waits, cause, try_stolen);
}

bool cause_note_other_source(const struct waits *waits, struct cause *cause)
{
    return look_at_wanted(waits, cause, note_other_source);
}

void cause_note_stray(const struct waits *waits, struct cause *cause)
{
    look_at_wanted(waits, cause, note_stray);
}

void cause_note_unreceived(const struct waits *waits, struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    struct wanted_message wanted;
    for (size_t i = 0; i < count; i++)
        if (cause_find_wanted(waits, nodes[i], &wanted) && near_miss_find_any(&wanted, &cause->unreceived))
            return;
}
