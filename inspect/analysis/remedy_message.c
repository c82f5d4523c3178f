/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What to change where a message is to blame.
 */
#include "analysis/idle_request.h"
#include "analysis/remedy.h"
#include "base/allocation.h"

#include <stdlib.h>

char *remedy_of_size(void)
{
    return copy_text("make the receive as large as the message, or find out its size with MPI_Probe and MPI_Get_count");
}

static char *remedy_of_stray(const struct cause *cause)
{
    char *at = describe_at(cause->stray->site);
    char *remedy = format_text("if %s%s was meant for rank %d, not %d, correct its destination", cause->stray->function,
                               at, cause->wanted.receiver->rank, cause->stray->peer_world);
    free(at);
    return remedy;
}

char *remedy_of_source(const struct cause_text *text, const struct cause *cause)
{
    const struct operation *message = cause->near_miss.message;
    const bool renumbers =
        message->peer_local != message->peer_world || cause->wanted.peer_local != cause->wanted.peer_world;
    return format_text("receive from rank %d%s%s, or have rank %d send", message->peer_local, renumbers ? " of " : "",
                       renumbers ? find_label(text->labels, cause->near_miss.communicator->id) : "",
                       cause->wanted.peer_local);
}

static const struct matched_message *find_message(const struct communicator *communicator, const struct process *sender,
                                                  int32_t tag)
{
    for (size_t i = 0; communicator != NULL && i < communicator->message_count; i++)
        if (communicator->messages[i].source_world == sender->rank && communicator->messages[i].tag == tag)
            return &communicator->messages[i];
    return NULL;
}

/* Of a send whose message is held by a matched probe; NULL: there is none among what waits. */
static char *remedy_of_held(const struct waits *waits, const struct cause *cause)
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind != SUBJECT_OPERATION || subject->operation == NULL || !operation_is_held(subject->operation))
            continue;
        const struct operation *send = subject->operation;
        const struct process *receiver = job_index_process(&waits->index, send->match_rank);
        const struct matched_message *message =
            receiver != NULL ? find_message(find_communicator(receiver, subject->communicator->id),
                                            &waits->job->processes[subject->process], send->tag)
                             : NULL;
        if (message == NULL)
            continue;
        char *at = describe_at(message->site);
        char *remedy = format_text("call MPI_Mrecv for the message that %s%s has taken: rank %d waits until then",
                                   message->function, at, waits->job->processes[subject->process].rank);
        free(at);
        return remedy;
    }
    return NULL;
}

/* Of a message whose other half is a persistent request that was not started; NULL: there is none. */
static char *remedy_of_idle(const struct waits *waits, const struct cause *cause)
{
    const struct idle_request idle = idle_request_find(waits, cause);
    if (idle.request == NULL)
        return NULL;
    char *at = describe_at(idle.request->site);
    char *remedy = format_text("have rank %d start its request from %s%s again: it is inactive, and rank %d waits",
                               idle.owner->rank, idle.request->function, at, idle.waiting);
    free(at);
    return remedy;
}

char *remedy_of_message(const struct waits *waits, const struct cause *cause)
{
    if (cause->later != NULL)
        return remedy_of_skipped(waits, cause);
    if (cause->stray != NULL)
        return remedy_of_stray(cause);
    char *held = remedy_of_held(waits, cause);
    const bool is_open = cause->kind == FINDING_DEADLOCK || cause->kind == FINDING_WAITING_FOR_RANK;
    return held != NULL || !is_open ? held : remedy_of_idle(waits, cause);
}
