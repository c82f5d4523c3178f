/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups causes of one shape into one finding.
 */
#include "analysis/faults/faults.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough that a rank that waits for nothing but a few others is no shape of its own, and few enough to be told apart.
 */
enum { MOST_SHAPED = 64 };

struct shape {
    const char *text;
    size_t finding;
};

static int compare_shapes(const void *left, const void *right)
{
    return strcmp(((const struct shape *)left)->text, ((const struct shape *)right)->text);
}

/* Where the first of those waits that wait for a process that is gone, and how that is gone. */
static void write_gone_shape(FILE *stream, const struct waits *waits, const struct cause *cause)
{
    const struct process *gone =
        cause->culprits.count > 0 ? job_index_process(&waits->index, cause->culprits.items[0]) : NULL;
    if (gone != NULL)
        fprintf(stream, " %d %s", (int)gone->state, gone->reason != NULL ? gone->reason : "");
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *waiter = &waits->subjects[cause->waiters[i]];
        if (!waits->graph.nodes[cause->waiters[i]].dead || waiter->thread == NULL)
            continue;
        fprintf(stream, " %s %p", waiter->thread->function, (const void *)waiter->thread->site);
        return;
    }
    for (size_t i = 0; i < cause->waiter_count; i++) {
        const struct wait_subject *waiter = &waits->subjects[cause->waiters[i]];
        if (!waits->graph.nodes[cause->waiters[i]].dead || waiter->operation == NULL)
            continue;
        fprintf(stream, " %s %p", waiter->operation->details->function, (const void *)waiter->operation->details->site);
        return;
    }
}

/* The calls of the cause, in an order that does not depend on which of its ranks was found first. */
static void write_calls(FILE *stream, const struct waits *waits, const struct cause *cause)
{
    const char *calls[MOST_SHAPED];
    size_t count = 0;
    for (size_t i = 0; i < cause->node_count && count < MOST_SHAPED; i++) {
        const struct thread *call = wait_subject_call(&waits->subjects[cause->nodes[i]]);
        if (call != NULL)
            calls[count++] = arena_text(" %s %p", call->function, (const void *)call->site);
    }
    qsort(calls, count, sizeof *calls, texts_compare);
    for (size_t i = 0; i < count; i++) {
        fputs(calls[i], stream);
    }
}

static const char *shape_of(const struct waits *waits, const struct cause *cause)
{
    FILE *stream = arena_open();
    fprintf(stream, "%d", (int)cause->kind);
    write_calls(stream, waits, cause);
    if (cause->waiter_count > 0 && cause->kind == FINDING_WAITING_FOR_RANK)
        write_gone_shape(stream, waits, cause);
    if (cause->has_wanted)
        fprintf(stream, " %d", cause->wanted.tag);
    if (cause->fault == &fault_left_over_send)
        fprintf(stream, " %p", (const void *)waits->subjects[cause->left_over].operation->details->site);
    return arena_close(stream);
}

static bool can_be_alike(const struct cause *cause)
{
    if (cause->waiter_count > 0)
        return cause->fault == &fault_left_over_send ||
               (cause->kind == FINDING_WAITING_FOR_RANK && cause->noted.stray == NULL);
    return cause->fault == &fault_left_over_send || cause->node_count <= MOST_SHAPED;
}

static enum cause_novelty take_shape(struct cause_shapes *shapes, const struct waits *waits, const struct cause *cause,
                                     size_t number, size_t *ret_finding)
{
    *ret_finding = number;
    if (!can_be_alike(cause))
        return CAUSE_IS_NEW;
    struct shape *wanted = arena_allocate(sizeof *wanted);
    *wanted = (struct shape){shape_of(waits, cause), number};
    const struct shape *found = arena_search(wanted, &shapes->shapes, compare_shapes);
    if (found == wanted)
        return CAUSE_IS_NEW;
    *ret_finding = found->finding;
    return CAUSE_IS_ALIKE;
}

/* A collective call that members disagree about: later ones are stuck as well, and lead back to it. */
struct told_round {
    const struct job_member *one; /* of the members of the index */
    uint64_t serial;
    size_t finding;
};

static int compare_rounds(const void *left_round, const void *right_round)
{
    const struct told_round *left = left_round;
    const struct told_round *right = right_round;
    if (left->one != right->one)
        return left->one < right->one ? -1 : 1;
    return left->serial < right->serial ? -1 : left->serial > right->serial;
}

enum cause_novelty cause_shapes_take(struct cause_shapes *shapes, const struct waits *waits, const struct cause *cause,
                                     size_t number, size_t *ret_finding)
{
    if (cause->kind != FINDING_COLLECTIVE_MISMATCH)
        return take_shape(shapes, waits, cause, number, ret_finding);
    struct told_round *wanted = arena_allocate(sizeof *wanted);
    *wanted = (struct told_round){.one = cause->round.one, .serial = cause->round.serial};
    const struct told_round *found = arena_search(wanted, &shapes->rounds, compare_rounds);
    if (found != wanted) {
        *ret_finding = found->finding;
        return CAUSE_IS_TOLD;
    }
    const enum cause_novelty novelty = take_shape(shapes, waits, cause, number, ret_finding);
    wanted->finding = *ret_finding;
    return novelty;
}
