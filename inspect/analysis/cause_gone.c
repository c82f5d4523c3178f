/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Causes that are a process that is gone: it has ended, or is in MPI_Finalize or beyond.
 */
#include "analysis/cause.h"
#include "base/allocation.h"

static bool is_crowd(const struct waits *waits, uint32_t node)
{
    const enum wait_subject_kind kind = waits->subjects[node].kind;
    const bool has_choice = waits->graph.nodes[node].mode == WAITS_FOR_ANY && waits->graph.nodes[node].edge_count > 1;
    return kind == SUBJECT_MEMBERS || kind == SUBJECT_CALL || (kind == SUBJECT_THREAD && has_choice);
}

/* Whether the node is one of those that only one thread waits at. */
static bool is_part_of_wait(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_OPERATION || subject->kind == SUBJECT_POLL;
}

/* Adds the processes that are gone of those that the node waits for: all, or where `ended` only those that have ended.
 * Returns how many. */
static size_t add_gone(const struct waits *waits, uint32_t node, bool ended, struct cause *cause)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    size_t count = 0;
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const struct wait_subject *subject = &waits->subjects[next];
        if (subject->kind != SUBJECT_PROCESS) {
            count +=
                is_part_of_wait(subject) || subject->kind == SUBJECT_MEMBERS ? add_gone(waits, next, ended, cause) : 0;
            continue;
        }
        const struct process *process = &waits->job->processes[subject->process];
        if (ended ? process->state != PROCESS_EXITED : !process_is_gone(process))
            continue;
        cause_add_culprit(cause, process->rank);
        count++;
    }
    return count;
}

static bool is_end(const struct wait_subject *subject)
{
    const struct thread *call = wait_subject_call(subject);
    return subject->kind == SUBJECT_CALL || (call != NULL && call->call_class == MPILENS_CALL_ENVIRONMENT);
}

static void classify_gone_rank(const struct waits *waits, struct cause *cause)
{
    cause->kind = FINDING_WAITING_FOR_RANK;
    for (size_t i = 0; i < cause->crowd_count; i++)
        if (add_gone(waits, cause->crowds[i], true, cause) == 0)
            add_gone(waits, cause->crowds[i], false, cause);
    if (cause->is_waited_for_alone || cause->crowd_count == 0)
        cause_add_owner(waits, cause->nodes[0], cause, true);
    /* Who waits in MPI_Finalize is told only where nobody waits elsewhere. */
    for (int ends = 0, found = 0; ends < 2 && found == 0; ends++)
        for (size_t i = 0; i < cause->waiter_count; i++)
            if (waits->graph.nodes[cause->waiters[i]].dead &&
                is_end(&waits->subjects[cause->waiters[i]]) == (ends == 1))
                found += cause_add_owner(waits, cause->waiters[i], cause, false);
}

/* Members that are gone and never came to a collective call: only those that wait in such calls are concerned. */
static bool waits_only_in_collectives(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->waiters[i]];
        if (waits->graph.nodes[cause->waiters[i]].dead && subject->kind != SUBJECT_COLLECTIVE &&
            subject->kind != SUBJECT_MEMBERS && !is_end(subject))
            return false;
    }
    return true;
}

/* Sends that nobody receives and that those who wait in MPI_Finalize, like their receiver, have not ended before. */
static bool try_left_over_send(const struct waits *waits, struct cause *cause)
{
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->waiters[i]];
        if (subject->kind != SUBJECT_OPERATION || !process_is_gone(&waits->job->processes[subject->process]))
            continue;
        if (cause->left_over == NO_NODE)
            cause->left_over = cause->waiters[i];
        cause_add_owner(waits, cause->waiters[i], cause, true);
    }
    if (cause->left_over == NO_NODE)
        return false;
    cause->kind = FINDING_NO_MATCH;
    cause_add_owner(waits, cause->nodes[0], cause, true);
    return true;
}

void cause_classify_gone(const struct waits *waits, struct cause *cause)
{
    if (try_left_over_send(waits, cause) || cause_try_lost_message(waits, cause) || cause_try_near_miss(waits, cause) ||
        cause_try_skipped_message(waits, cause) || cause_try_stolen_message(waits, cause))
        return;
    if (waits_only_in_collectives(waits, cause) &&
        (cause_try_collective_mismatch(waits, cause) || cause_try_collective_missing(waits, cause)))
        return;
    if (cause_try_window_wait(waits, cause))
        return;
    cause_note_stray(waits, cause);
    if (cause->stray == NULL)
        cause_note_unreceived(waits, cause);
    classify_gone_rank(waits, cause);
}

static void append_waiters(const struct wait_waiters *waiters, uint32_t node, struct cause *cause)
{
    for (uint32_t i = waiters->starts[node]; i < waiters->starts[node + 1]; i++) {
        cause->waiters = array_append(cause->waiters, &cause->waiter_count, sizeof *cause->waiters);
        cause->waiters[cause->waiter_count - 1] = waiters->items[i];
    }
}

static void add_crowd(const struct waits *waits, const struct wait_waiters *waiters, uint32_t node, struct cause *cause)
{
    for (size_t i = 0; i < cause->crowd_count; i++)
        if (cause->crowds[i] == node)
            return;
    cause->crowds = array_append(cause->crowds, &cause->crowd_count, sizeof *cause->crowds);
    cause->crowds[cause->crowd_count - 1] = node;
    if (waits->subjects[node].kind != SUBJECT_THREAD) /* else its polls and operations are among them */
        append_waiters(waiters, node, cause);
}

/* The call of the thread that waits at the node, for that or anything else. NO_NODE: it needs that. */
static uint32_t find_choice(const struct waits *waits, const struct wait_waiters *waiters, uint32_t node)
{
    while (is_part_of_wait(&waits->subjects[node]) && waiters->starts[node] < waiters->starts[node + 1])
        node = waiters->items[waiters->starts[node]];
    return is_crowd(waits, node) ? node : NO_NODE;
}

void cause_find_waiters(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told,
                        struct cause *cause)
{
    append_waiters(waiters, cause->nodes[0], cause);
    const size_t count = cause->waiter_count;
    for (size_t i = 0; i < count; i++) {
        const uint32_t waiter = cause->waiters[i];
        if (!waits->graph.nodes[waiter].dead || is_told[waiter])
            continue;
        const uint32_t crowd = find_choice(waits, waiters, waiter);
        if (crowd != NO_NODE)
            add_crowd(waits, waiters, crowd, cause);
        else
            cause->is_waited_for_alone = true;
    }
}

void cause_tell_crowd(const struct waits *waits, uint32_t node, bool *is_told)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    is_told[node] = true;
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        if (is_part_of_wait(&waits->subjects[next]))
            cause_tell_crowd(waits, next, is_told);
    }
}
