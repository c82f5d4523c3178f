/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the ranks that wait for a process that is gone.
 */
#include "analysis/causes/causes.h"

#include "base/base.h"

static bool is_crowd(const struct waits *waits, uint32_t node)
{
    const enum wait_subject_kind kind = waits->subjects[node].kind;
    const bool has_choice = waits->graph.nodes[node].mode == WAITS_FOR_ANY && waits->graph.nodes[node].edge_count > 1;
    return kind == SUBJECT_MEMBERS || kind == SUBJECT_CALL || (kind == SUBJECT_THREAD && has_choice);
}

bool wait_subject_is_part(const struct wait_subject *subject)
{
    return subject->kind == SUBJECT_OPERATION || subject->kind == SUBJECT_POLL;
}

bool cause_is_end(const struct wait_subject *subject)
{
    const struct thread *call = wait_subject_call(subject);
    return subject->kind == SUBJECT_CALL || (call != NULL && call->call_class == MPILENS_CALL_ENVIRONMENT);
}

bool cause_is_of_collectives(const struct waits *waits, const struct cause *cause)
{
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *subject = &waits->subjects[cause->waiters[i]];
        if (waits->graph.nodes[cause->waiters[i]].dead && subject->kind != SUBJECT_COLLECTIVE &&
            subject->kind != SUBJECT_MEMBERS && !cause_is_end(subject))
            return false;
    }
    return true;
}

static void append_waiters(const struct wait_waiters *waiters, uint32_t node, struct cause *cause)
{
    for (uint32_t i = waiters->starts[node]; i < waiters->starts[node + 1]; i++) {
        cause->waiters = arena_append(cause->waiters, &cause->waiter_count, sizeof *cause->waiters);
        cause->waiters[cause->waiter_count - 1] = waiters->items[i];
    }
}

static void add_crowd(const struct waits *waits, const struct wait_waiters *waiters, uint32_t node, struct cause *cause)
{
    for (size_t i = 0; i < cause->crowd_count; i++)
        if (cause->crowds[i] == node)
            return;
    cause->crowds = arena_append(cause->crowds, &cause->crowd_count, sizeof *cause->crowds);
    cause->crowds[cause->crowd_count - 1] = node;
    if (waits->subjects[node].kind != SUBJECT_THREAD) /* else its polls and operations are among them */
        append_waiters(waiters, node, cause);
}

/* The call of the thread that waits at the node, for that or anything else. NO_NODE: it needs that. */
static uint32_t find_choice(const struct waits *waits, const struct wait_waiters *waiters, uint32_t node)
{
    while (wait_subject_is_part(&waits->subjects[node]) && waiters->starts[node] < waiters->starts[node + 1])
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
        if (wait_subject_is_part(&waits->subjects[next]))
            cause_tell_crowd(waits, next, is_told);
    }
}

bool cause_look_at_meetings(const struct waits *waits, struct cause *cause,
                            bool (*look)(const struct waits *, const struct wait_subject *, struct cause *))
{
    size_t count;
    const uint32_t *nodes = cause_waiting_nodes(cause, &count);
    for (size_t i = 0; i < count; i++) {
        const struct wait_subject *subject = &waits->subjects[nodes[i]];
        if (subject->kind == SUBJECT_COLLECTIVE && look(waits, subject, cause))
            return true;
    }
    return false;
}
