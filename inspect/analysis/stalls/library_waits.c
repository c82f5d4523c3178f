/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds threads that wait for nothing but the MPI library: looks at what the wait-for graph says can act although no
 * program has to, and takes away whatever leads to somebody who may still act.
 */
#include "analysis/stalls/stalls_internal.h"

#include "analysis/calls/calls.h"
#include "base/base.h"

#include <stdlib.h>

struct search {
    const struct waits *waits;
    bool *is_open; /* by node: somebody may still act so that it goes on, or that is not known */
    struct wait_edge *edges;
    size_t edge_count;
    uint32_t *meetings; /* by node: itself, where all have come and the library has its turn; NO_NODE */
    struct ranks **needed;
};

static void library_waits_connect(struct search *search, uint32_t from, uint32_t to)
{
    search->edges = array_append(search->edges, &search->edge_count, sizeof *search->edges);
    search->edges[search->edge_count - 1] = (struct wait_edge){from, to};
}

static bool leads_to(const struct waits *waits, uint32_t node, uint32_t other)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++)
        if (waits->graph.successors[self->first_edge + i] == other)
            return true;
    return false;
}

/* The library has its turn at this node if these processes are all in MPI. Takes the ranks. */
static void take_meeting(struct search *search, uint32_t node, struct ranks *needed)
{
    ranks_finish(needed);
    struct ranks *list = arena_allocate(sizeof *list);
    *list = *needed;
    search->needed[node] = list;
    search->meetings[node] = node;
    for (size_t i = 0; i < list->count; i++) {
        const uint32_t process = job_index_find_rank(&search->waits->index, list->items[i]);
        if (process == NO_PROCESS)
            search->is_open[node] = true;
        else
            library_waits_connect(search, node, search->waits->process_nodes[process]);
    }
}

/* The graph says that anything may let the node go on: whether that is the library. */
static void look_behind(struct search *search, uint32_t node)
{
    struct ranks needed = {0};
    if (library_meeting_at(search->waits, &search->waits->subjects[node], &needed)) {
        take_meeting(search, node, &needed);
    } else {
        search->is_open[node] = true;
    }
}

/* Whether the process can do nothing but what the library does in the calls that it is in. */
static bool is_closed(const struct waits *waits, uint32_t node)
{
    const struct process *process = &waits->job->processes[waits->subjects[node].process];
    const struct wait_node *self = &waits->graph.nodes[node];
    if (process->reason != NULL || process_can_act(process))
        return false;
    /* A process in MPI_Finalize does nothing more for others in the graph, but completes operations that have begun. */
    return process->state == PROCESS_FINALIZING ||
           (process->state == PROCESS_RUNNING && !self->dead && self->mode != WAITS_FOR_NOTHING);
}

/* Whether it is known at once that somebody may act, or never will. */
static bool is_open_itself(const struct waits *waits, uint32_t node)
{
    const struct wait_subject *subject = &waits->subjects[node];
    const struct wait_node *self = &waits->graph.nodes[node];
    if (subject->kind != SUBJECT_PROCESS &&
        (self->dead || self->edge_count == 0 || leads_to(waits, node, waits->strangers)))
        return true;
    switch (subject->kind) {
    case SUBJECT_ANYTHING:
    case SUBJECT_STRANGERS:
        return true;
    case SUBJECT_PROCESS:
        return !is_closed(waits, node);
    case SUBJECT_THREAD:
        return !library_may_keep(waits, subject);
    default:
        return false;
    }
}

static void look_at(struct search *search, uint32_t node)
{
    const struct waits *waits = search->waits;
    const struct wait_subject *subject = &waits->subjects[node];
    const struct wait_node *self = &waits->graph.nodes[node];
    search->meetings[node] = NO_NODE;
    search->is_open[node] = is_open_itself(waits, node);
    if (!search->is_open[node] && leads_to(waits, node, waits->anything))
        look_behind(search, node);
    for (uint32_t i = 0; i < self->edge_count; i++)
        if (waits->graph.successors[self->first_edge + i] != waits->anything)
            library_waits_connect(search, node, waits->graph.successors[self->first_edge + i]);
    /* The graph does not say what a process waits for that is in MPI_Finalize. */
    if (subject->kind == SUBJECT_THREAD && process_is_gone(&waits->job->processes[subject->process]))
        library_waits_connect(search, waits->process_nodes[subject->process], node);
}

/* A node that leads to an open node is open. */
static void spread(struct search *search)
{
    const size_t count = search->waits->subject_count;
    size_t *starts = allocate((count + 2) * sizeof *starts);
    uint32_t *sources = allocate((search->edge_count + 1) * sizeof *sources);
    uint32_t *left = allocate((count + 1) * sizeof *left);
    size_t left_count = 0;
    for (size_t i = 0; i < search->edge_count; i++)
        starts[search->edges[i].to + 2]++;
    for (size_t i = 2; i < count + 2; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < search->edge_count; i++)
        sources[starts[search->edges[i].to + 1]++] = search->edges[i].from;
    for (size_t i = 0; i < count; i++)
        if (search->is_open[i])
            left[left_count++] = (uint32_t)i;
    while (left_count > 0) {
        const uint32_t node = left[--left_count];
        for (size_t i = starts[node]; i < starts[node + 1]; i++)
            if (!search->is_open[sources[i]]) {
                search->is_open[sources[i]] = true;
                left[left_count++] = sources[i];
            }
    }
    free(starts);
    free(sources);
    free(left);
}

/* The meeting that the node is at or, through what stands for one request, leads to; NO_NODE: none. */
static uint32_t meeting_of(const struct search *search, uint32_t node, int depth)
{
    const struct waits *waits = search->waits;
    const struct wait_node *self = &waits->graph.nodes[node];
    if (search->meetings[node] != NO_NODE)
        return node;
    for (uint32_t i = 0; i < self->edge_count && depth > 0; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const uint32_t found =
            waits->subjects[next].kind != SUBJECT_PROCESS ? meeting_of(search, next, depth - 1) : NO_NODE;
        if (found != NO_NODE)
            return found;
    }
    return NO_NODE;
}

static int compare_waits(const void *left_wait, const void *right_wait)
{
    const struct library_wait *left = left_wait;
    const struct library_wait *right = right_wait;
    if (left->meeting != right->meeting)
        return left->meeting < right->meeting ? -1 : 1;
    return left->node < right->node ? -1 : left->node > right->node;
}

static void take_waits(const struct search *search, struct library_waits *found)
{
    for (size_t node = 0; node < search->waits->subject_count; node++) {
        const bool is_thread = search->waits->subjects[node].kind == SUBJECT_THREAD;
        const uint32_t meeting = is_thread && !search->is_open[node] ? meeting_of(search, (uint32_t)node, 2) : NO_NODE;
        if (meeting == NO_NODE)
            continue;
        found->items = arena_append(found->items, &found->count, sizeof *found->items);
        found->items[found->count - 1] = (struct library_wait){
            .node = (uint32_t)node, .meeting = meeting == node ? NO_NODE : meeting, .needed = search->needed[meeting]};
    }
    if (found->count > 1)
        qsort(found->items, found->count, sizeof *found->items, compare_waits);
}

struct library_waits library_waits_find(const struct waits *waits)
{
    const size_t count = waits->subject_count + 1;
    struct search search = {.waits = waits,
                            .is_open = allocate(count * sizeof *search.is_open),
                            .meetings = allocate(count * sizeof *search.meetings),
                            .needed = allocate(count * sizeof *search.needed)};
    struct library_waits found = {.count = 0};
    for (size_t node = 0; node < waits->subject_count; node++)
        look_at(&search, (uint32_t)node);
    spread(&search);
    take_waits(&search, &found);
    free(search.is_open);
    free(search.edges);
    free(search.meetings);
    free(search.needed);
    return found;
}
