/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes the message that a receive or probe of a cause waits for, and what was sent instead.
 */
#include "analysis/causes/causes.h"

#include "base/base.h"
#include "model/model.h"
#include "words/words.h"

static bool waits_for_message(const struct wait_subject *subject)
{
    return wait_subject_is_message(subject) &&
           (subject->kind != SUBJECT_OPERATION || (subject->operation->flags & MPILENS_OPERATION_RECEIVE) != 0);
}

static struct wanted_message wanted_by(const struct waits *waits, const struct wait_subject *subject)
{
    const struct process *process = &waits->job->processes[subject->process];
    if (subject->kind == SUBJECT_OPERATION)
        return wanted_message_of(process, subject->communicator, subject->operation);
    const struct thread *call = wait_subject_call(subject);
    return (struct wanted_message){.receiver = process,
                                   .communicator = find_communicator(process, call->communicator_id),
                                   .peer_local = call->peer_local,
                                   .peer_world = call->peer_world,
                                   .tag = call->tag,
                                   .tag_wild = call->tag_wild,
                                   .bytes = -1,
                                   .site = call->site,
                                   .site_address = call->site_address};
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

bool cause_look_at_wanted(const struct waits *waits, struct cause *cause,
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

static int32_t find_peer(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_OPERATION ? subject->operation->peer_world : wait_subject_call(subject)->peer_world;
}

bool cause_holds_source_up(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->nodes[i]];
        if (wait_subject_is_message(subject) &&
            waits->job->processes[subject->process].rank == cause->wanted.peer_world && find_peer(subject) >= 0 &&
            find_peer(subject) != cause->wanted.receiver->rank)
            return true;
    }
    return false;
}

static bool note_other_source(const struct waits *waits, struct cause *cause)
{
    return near_miss_find(&waits->index, &cause->wanted, true, &cause->noted.near_miss);
}

/* A message that went elsewhere: no kind of its own, as it may be meant for there. */
static bool note_stray(const struct waits *waits, struct cause *cause)
{
    cause->noted.stray = find_stray_message(&waits->index, &cause->wanted);
    return cause->noted.stray != NULL;
}

void cause_note_stray(const struct waits *waits, struct cause *cause)
{
    cause_look_at_wanted(waits, cause, note_stray);
}

void cause_note_message(const struct waits *waits, struct cause *cause)
{
    if (!cause_look_at_wanted(waits, cause, note_other_source))
        cause_note_stray(waits, cause);
}

void cause_note_unreceived(const struct waits *waits, struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    struct wanted_message wanted;
    for (size_t i = 0; i < count; i++)
        if (cause_find_wanted(waits, nodes[i], &wanted) && near_miss_find_any(&wanted, &cause->noted.unreceived))
            return;
}

/* "MPI_Recv(... <- 0, tag 8, ...) at a.c:3", of what waits for a message that does not come. */
const char *cause_describe_wanting(const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->wanting];
    if (subject->kind != SUBJECT_OPERATION)
        return describe_call_and_place(text, cause->wanted.receiver, subject->thread);
    const char *operation = describe_operation(subject->operation, subject->communicator, text->labels);
    return arena_text("%s%s", operation, describe_at(subject->operation->details->site));
}

void cause_write_stuck(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *subject = &text->waits->subjects[cause->wanting];
    const struct thread *thread = find_first_blocked(cause->wanted.receiver);
    const char *wanting = cause_describe_wanting(text, cause);
    if (subject->kind == SUBJECT_OPERATION && thread != NULL && thread->call_class == MPILENS_CALL_WAIT) {
        fprintf(stream, "rank %d is stuck in %s%s: nothing matches its %s", cause->wanted.receiver->rank,
                thread->function, describe_at(thread->site), wanting);
    } else {
        fprintf(stream, "rank %d is stuck in %s", cause->wanted.receiver->rank, wanting);
    }
}
