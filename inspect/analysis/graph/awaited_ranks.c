/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds ranks that others wait for and that can still act.
 */
#include "analysis/graph/graph.h"

#include "analysis/calls/calls.h"
#include "base/base.h"
#include "stack/stack.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static enum liveness liveness_of(const struct waits *waits, const struct process *process)
{
    const struct wait_node *node = &waits->graph.nodes[waits->process_nodes[process - waits->job->processes]];
    if (process_is_gone(process))
        return LIVES_NOT;
    if (process->reason != NULL)
        return LIVES_UNREAD;
    if (node->mode != WAITS_FOR_NOTHING)
        return LIVES_NOT;
    bool is_blocked = false;
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        const bool is_in_mpi = !thread->ended && thread->function[0] != '\0';
        if (!thread->ended && ((is_in_mpi && !thread->stalled) || thread->called_meanwhile))
            return LIVES_IN_MPI;
        is_blocked = is_blocked || is_in_mpi;
    }
    return is_blocked ? LIVES_BESIDE : LIVES_OUTSIDE;
}

static double lesser(double age_s, double other_s)
{
    return other_s >= 0 && (age_s < 0 || other_s < age_s) ? other_s : age_s;
}

static double since_operations(double age_s, const struct operations *operations)
{
    for (size_t i = 0; i < operations->count; i++)
        age_s = lesser(age_s, operations->items[i].age_s);
    return age_s;
}

/* Since it began what others could learn of: a message or a collective call; -1: not known. */
static double since_communication(const struct process *process)
{
    double age_s = -1;
    for (size_t i = 0; i < process->communicator_count; i++) {
        const struct communicator *communicator = &process->communicators[i];
        age_s = since_operations(age_s, &communicator->sends);
        age_s = since_operations(age_s, &communicator->receives);
        age_s = since_operations(age_s, &communicator->completed);
        for (size_t j = 0; j < communicator->collective_call_count; j++)
            age_s = lesser(age_s, communicator->recent_collectives[j].age_s);
    }
    return age_s;
}

/* Since the process began its last call that is known, but for those that its threads are in; -1: not known. */
static double since_last_call(const struct process *process)
{
    double age_s = -1;
    for (size_t i = 0; i < process->thread_count; i++)
        if (!process->threads[i].ended && process->threads[i].function[0] == '\0')
            age_s = lesser(age_s, process->threads[i].age_s);
    return lesser(age_s, since_communication(process));
}

/* Whether all that it does in MPI is to access memory of a window, and has been for so long. */
static bool only_accesses_for(const struct process *process, double patience_s)
{
    bool has_synchronized = false;
    for (size_t i = 0; i < process->object_count; i++)
        has_synchronized = has_synchronized ||
                           (process->objects[i].window != NULL && process->objects[i].window->synchronizations > 0);
    for (size_t i = 0; i < process->thread_count; i++) {
        const struct thread *thread = &process->threads[i];
        if (!thread->ended && thread->function[0] != '\0' && !is_access_call(thread))
            return false;
    }
    return has_synchronized && since_communication(process) > patience_s;
}

static bool has_been_away_for(const struct process *process, double patience_s)
{
    const double age_s = since_last_call(process);
    return age_s < 0 || age_s > patience_s;
}

/* Walks from a node to the threads that wait for it, through polls, operations and nodes that stand for many. */
static void add_waiters(const struct waits *waits, const struct wait_waiters *waiters, uint32_t node, int depth,
                        struct awaited_ranks *awaited)
{
    for (uint32_t i = waiters->starts[node]; i < waiters->starts[node + 1]; i++) {
        const uint32_t waiter = waiters->items[i];
        const struct wait_subject *subject = &waits->subjects[waiter];
        if (subject->kind == SUBJECT_THREAD) {
            ranks_add(&awaited->waiters, waits->job->processes[subject->process].rank);
            if (awaited->waiting == NULL)
                awaited->waiting = subject->thread;
            if (subject->thread->age_s > awaited->age_s)
                awaited->age_s = subject->thread->age_s;
        } else if (subject->kind != SUBJECT_PROCESS && depth > 0) {
            add_waiters(waits, waiters, waiter, depth - 1, awaited);
        }
    }
}

/* The common facts of ranks that are told together. */
struct likeness {
    const uint32_t *nodes; /* that wait for them */
    size_t node_count;
    struct awaited_ranks awaited; /* without who waits */
    bool is_lost;                 /* struct process.is_lost */
    size_t place;                 /* in the list */
};

static int compare_likenesses(const void *left_likeness, const void *right_likeness)
{
    const struct likeness *left = left_likeness;
    const struct likeness *right = right_likeness;
    const struct awaited_ranks *one = &left->awaited, *other = &right->awaited;
    if (one->liveness != other->liveness)
        return one->liveness < other->liveness ? -1 : 1;
    if (left->is_lost != right->is_lost)
        return left->is_lost ? -1 : 1;
    if (one->is_stopped != other->is_stopped)
        return one->is_stopped - other->is_stopped;
    if (one->is_away != other->is_away || one->only_accesses != other->only_accesses)
        return (one->is_away * 2 + one->only_accesses) - (other->is_away * 2 + other->only_accesses);
    if (left->node_count != right->node_count)
        return left->node_count < right->node_count ? -1 : 1;
    return memcmp(left->nodes, right->nodes, left->node_count * sizeof *left->nodes);
}

static void add_process(struct awaited_ranks *awaited, const struct process *process)
{
    awaited->processes = arena_append(awaited->processes, &awaited->count, sizeof *awaited->processes);
    awaited->processes[awaited->count - 1] = process;
}

static void take_process(const struct waits *waits, const struct wait_waiters *waiters, size_t number,
                         struct arena_node **tree, struct awaited_list *list)
{
    const struct process *process = &waits->job->processes[number];
    const uint32_t node = waits->process_nodes[number];
    const struct arena_mark mark = arena_mark();
    struct likeness *wanted = arena_allocate(sizeof *wanted);
    *wanted = (struct likeness){
        .nodes = waiters->items + waiters->starts[node],
        .node_count = waiters->starts[node + 1] - waiters->starts[node],
        .awaited = {.liveness = liveness_of(waits, process),
                    .is_stopped = process->activity == ACTIVITY_STOPPED,
                    .is_away = has_been_away_for(process, waits->options->patience_s),
                    .only_accesses = only_accesses_for(process, waits->options->patience_s),
                    .age_s = -1},
        .is_lost = process->is_lost,
        .place = list->count,
    };
    if (wanted->awaited.liveness == LIVES_NOT || wanted->node_count == 0) {
        arena_release(mark);
        return;
    }
    const struct likeness *found = arena_search(wanted, tree, compare_likenesses);
    if (found != wanted && found->place < list->count) {
        arena_release(mark);
        add_process(&list->items[found->place], process);
        return;
    }
    list->items = arena_append(list->items, &list->count, sizeof *list->items);
    struct awaited_ranks *awaited = &list->items[list->count - 1];
    *awaited = wanted->awaited;
    add_process(awaited, process);
    add_waiters(waits, waiters, node, 3, awaited);
}

/* Threads of those that are waited for may wait at the same place. */
static void leave_out_own(struct awaited_ranks *awaited)
{
    size_t count = 0;
    for (size_t i = 0; i < awaited->waiters.count; i++)
        if (!process_list_has_rank(awaited->processes, awaited->count, awaited->waiters.items[i]))
            awaited->waiters.items[count++] = awaited->waiters.items[i];
    awaited->waiters.count = count;
    ranks_finish(&awaited->waiters);
}

struct awaited_list awaited_ranks_find(const struct waits *waits, const struct wait_waiters *waiters)
{
    struct awaited_list list = {.count = 0};
    struct arena_node *tree = NULL;
    for (size_t i = 0; i < waits->job->process_count; i++)
        take_process(waits, waiters, i, &tree, &list);
    for (size_t i = 0; i < list.count; i++)
        leave_out_own(&list.items[i]);
    return list;
}

bool process_is_away(const struct waits *waits, const struct process *process)
{
    const enum liveness liveness = liveness_of(waits, process);
    return (liveness == LIVES_OUTSIDE || liveness == LIVES_BESIDE) &&
           (process->activity == ACTIVITY_STOPPED || has_been_away_for(process, waits->options->patience_s));
}

struct awaited_ranks awaited_strangers_find(const struct waits *waits, const struct wait_waiters *waiters)
{
    struct awaited_ranks awaited = {.age_s = -1};
    add_waiters(waits, waiters, waits->strangers, 2, &awaited);
    ranks_finish(&awaited.waiters);
    return awaited;
}
