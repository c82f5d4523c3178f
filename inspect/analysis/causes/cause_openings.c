/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes what the sentence of a cause leaves open: members of its communicator that could not be read, threads that
 * have not called MPI so far, programs that may connect.
 */
#include "analysis/causes/causes.h"

#include "analysis/calls/calls.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* The one that the cause is about, as far as it is about one: of its call, or of what its first rank waits for. */
static const struct communicator *find_subject(const struct cause_text *text, const struct cause *cause)
{
    if (cause->communicator != NULL)
        return cause->communicator;
    if (cause->has_wanted)
        return cause->wanted.communicator;
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++)
        if (text->waits->subjects[nodes[i]].communicator != NULL)
            return text->waits->subjects[nodes[i]].communicator;
    return NULL;
}

static void mark_members(bool *is_member, int size, const struct group *group)
{
    for (int rank = 0; group != NULL && rank < size; rank++)
        if (group_local_rank(group, rank) >= 0)
            is_member[rank] = true;
}

static bool is_unread(const struct process *process)
{
    return process->reason != NULL && !process_is_gone(process) && process->rank >= 0;
}

static void write_unread(FILE *stream, const struct cause_text *text, const struct communicator *communicator)
{
    const struct job *job = text->waits->job;
    size_t count = rank_set_size(&job->absent);
    for (size_t i = 0; i < job->process_count; i++)
        count += is_unread(&job->processes[i]);
    if (count == 0 || job->size <= 0)
        return;
    const char *reason = NULL;
    bool same_reason = true;
    struct ranks unread = {0};
    bool *is_member = allocate((size_t)job->size * sizeof *is_member);
    mark_members(is_member, job->size, communicator->group);
    if (communicator->intercommunicator)
        mark_members(is_member, job->size, communicator->remote_group);
    for (size_t i = 0; i < job->absent.count; i++)
        for (int rank = job->absent.ranges[i].first; rank <= job->absent.ranges[i].last && rank < job->size; rank++)
            if (is_member[rank])
                ranks_add(&unread, rank);
    reason = unread.count > 0 ? job->absent_reason : NULL;
    for (size_t i = 0; i < job->process_count; i++) {
        const struct process *process = &job->processes[i];
        if (!is_unread(process) || process->rank >= job->size || !is_member[process->rank])
            continue;
        same_reason = same_reason && (reason == NULL || strcmp(reason, process->reason) == 0);
        reason = process->reason;
        ranks_add(&unread, process->rank);
    }
    ranks_finish(&unread);
    const char *name = ranks_name(&unread);
    if (unread.count > 0)
        fprintf(stream, "; %s could not be read (%s): %s be doing anything", name,
                same_reason ? reason : "for several reasons", unread.count == 1 ? "it may" : "they may");
    free(is_member);
}

static void write_unseen(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    struct ranks unseen = {0};
    for (size_t i = 0; i < cause->ranks.count; i++) {
        const struct process *process = job_index_process(&text->waits->index, cause->ranks.items[i]);
        if (process != NULL && process->unseen_threads > 0 && !process_is_gone(process))
            ranks_add(&unseen, process->rank);
    }
    const char *name = ranks_name(&unseen);
    if (unseen.count > 0)
        fprintf(stream, "; a thread of %s that has not called MPI yet might still end the wait", name);
}

static bool waits_for_connections(const struct cause_text *text, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_subject *subject = &text->waits->subjects[cause->nodes[i]];
        if (subject->kind == SUBJECT_THREAD && subject->thread->purpose == MPILENS_PURPOSE_CONNECT)
            return true;
    }
    return false;
}

void cause_write_openings(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct communicator *communicator = find_subject(text, cause);
    if (communicator != NULL)
        write_unread(stream, text, communicator);
    write_unseen(stream, text, cause);
    if (waits_for_connections(text, cause))
        fputs("; only a program outside this job could still connect", stream);
}
