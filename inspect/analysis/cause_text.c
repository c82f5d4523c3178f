/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes in sentences.
 */
#include "analysis/cause_text.h"

#include "analysis/rank_groups.h"
#include "base/allocation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Threads that a sentence speaks of. */
enum { MOST_SPOKEN_OF = 4 };

/* Whether each waits for the next one: nobody has a choice. */
static bool is_cycle(const struct cause_text *text, const struct cause *cause)
{
    for (size_t i = 0; i < cause->node_count; i++) {
        const struct wait_node *node = &text->waits->graph.nodes[cause->nodes[i]];
        if (node->mode == WAITS_FOR_ANY && node->edge_count > 1)
            return false;
    }
    return true;
}

static void write_cycle(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    char *ranks = ranks_name(&cause->culprits);
    fprintf(stream, "%s wait for each other%s", ranks,
            cause->culprits.count > 2 && is_cycle(text, cause) ? " in a cycle" : "");
    struct rank_groups groups = rank_groups_find(text, &cause->culprits);
    rank_groups_write(stream, &groups);
    rank_groups_clear(&groups);
    free(ranks);
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
        char *call = describe_call_and_place(text, process, &process->threads[i]);
        fprintf(stream, "%s in %s", written == 1 ? ":" : ";", call);
        free(call);
    }
    if (written > MOST_SPOKEN_OF)
        fprintf(stream, "; and %zu more", written - MOST_SPOKEN_OF);
}

static void write_alone(FILE *stream, const struct cause_text *text, const struct cause *cause)
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
            cause_write_own(stream, text, process, thread, subject);
            return;
        }
    }
    char *call = describe_call_and_place(text, process, thread);
    fprintf(stream, "rank %d is waiting for itself in %s", rank, call);
    free(call);
}

static void write_spawned(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct wait_subject *waiter = &text->waits->subjects[cause->waiters[0]];
    const struct process *process = &text->waits->job->processes[waiter->process];
    char *ranks = ranks_name(&cause->culprits);
    char *call = describe_call_and_place(text, process, waiter->thread);
    fprintf(stream,
            "%s wait%s in %s for a spawned program to call MPI_Init: %s; it has loaded no MPI library and is sleeping",
            ranks, cause->culprits.count == 1 ? "s" : "", call, waiter->thread->spawned);
    free(ranks);
    free(call);
}

char *cause_message(const struct cause_text *text, const struct cause *cause)
{
    char *message = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&message, &bytes);
    if (stream == NULL)
        return copy_text(finding_kind_name(cause->kind));
    switch (cause->kind) {
    case FINDING_DEADLOCK:
        write_cycle(stream, text, cause);
        cause_write_odd(stream, text, cause);
        break;
    case FINDING_TAG_MISMATCH:
    case FINDING_COMMUNICATOR_MISMATCH:
    case FINDING_SOURCE_MISMATCH:
        cause_write_near_miss(stream, text, cause);
        break;
    case FINDING_SIZE_MISMATCH:
        cause_write_lost(stream, text, cause);
        break;
    case FINDING_COLLECTIVE_MISMATCH:
        cause_write_mismatch(stream, text, cause);
        break;
    case FINDING_NO_MATCH:
        if (cause->taken != NULL)
            cause_write_stolen(stream, text, cause);
        else if (cause->later != NULL)
            cause_write_skipped(stream, text, cause);
        else if (cause->silent != NULL)
            cause_write_silent(stream, text, cause);
        else if (cause->left_over != NO_NODE)
            cause_write_left_over(stream, text, cause);
        else if (text->waits->subjects[cause->nodes[0]].kind == SUBJECT_SPAWNED)
            write_spawned(stream, text, cause);
        else
            write_alone(stream, text, cause);
        break;
    default:
        cause_write_waiters(stream, text, cause);
    }
    cause_write_openings(stream, text, cause);
    fclose(stream);
    return message;
}
