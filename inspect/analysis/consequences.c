/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds dead ranks that are not a cause, and the causes that they wait for in the end.
 */
#include "analysis/analysis_internal.h"

#include "analysis/causes/causes.h"
#include "base/base.h"

#include <stdlib.h>

void consequences_add(const struct cause_text *text, const struct wait_waiters *waiters, const uint32_t *finding_of,
                      struct findings *findings)
{
    const struct waits *waits = text->waits;
    const struct wait_graph *graph = &waits->graph;
    uint32_t *cause_of = allocate((graph->node_count + 1) * sizeof *cause_of);
    uint32_t *queue = allocate((graph->node_count + 1) * sizeof *queue);
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        finding_finish(&findings->items[i]);
    for (size_t i = 0; i < graph->node_count; i++) {
        const uint32_t component = graph->nodes[i].component;
        cause_of[i] = component != NO_COMPONENT ? finding_of[component] : NO_FINDING;
        if (cause_of[i] != NO_FINDING)
            queue[count++] = (uint32_t)i;
    }
    for (size_t next = 0; next < count; next++)
        for (uint32_t i = waiters->starts[queue[next]]; i < waiters->starts[queue[next] + 1]; i++) {
            const uint32_t waiter = waiters->items[i];
            if (!graph->nodes[waiter].dead || cause_of[waiter] != NO_FINDING)
                continue;
            cause_of[waiter] = cause_of[queue[next]];
            queue[count++] = waiter;
        }
    for (size_t i = 0; i < waits->subject_count; i++) {
        const struct wait_subject *subject = &waits->subjects[i];
        if (subject->kind != SUBJECT_THREAD || cause_of[i] == NO_FINDING)
            continue;
        struct finding *finding = &findings->items[cause_of[i]];
        const struct process *process = &waits->job->processes[subject->process];
        if (!ranks_has(&finding->ranks, process->rank))
            add_process_evidence(text, process, finding);
    }
    free(cause_of);
    free(queue);
}

/* The lists of ranks of nodes that stand for many, made once. */
struct listing {
    const struct waits *waits;
    struct ranks **by_node;
};

/* Appends the processes that the node waits for, through polls and operations, but not through what other processes
 * wait for. */
static void collect_targets(const struct waits *waits, uint32_t node, int depth, struct ranks *list)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    for (uint32_t i = 0; i < self->edge_count; i++) {
        const uint32_t next = waits->graph.successors[self->first_edge + i];
        const struct wait_subject *subject = &waits->subjects[next];
        if (subject->kind == SUBJECT_PROCESS)
            ranks_add(list, waits->job->processes[subject->process].rank);
        else if (depth > 0 && subject->kind != SUBJECT_THREAD)
            collect_targets(waits, next, depth - 1, list);
    }
}

/* That of the only successor where the thread waits for nothing else, so that many share one list. */
static const struct ranks *targets_of(struct listing *listing, uint32_t node)
{
    const struct wait_node *self = &listing->waits->graph.nodes[node];
    uint32_t owner = node;
    if (self->edge_count == 1) {
        const uint32_t next = listing->waits->graph.successors[self->first_edge];
        const enum wait_subject_kind kind = listing->waits->subjects[next].kind;
        if (kind == SUBJECT_COLLECTIVE || kind == SUBJECT_CALL || kind == SUBJECT_MEMBERS)
            owner = next;
    }
    if (listing->by_node[owner] == NULL) {
        struct ranks *list = arena_allocate(sizeof *list);
        collect_targets(listing->waits, owner, 3, list);
        ranks_finish(list);
        listing->by_node[owner] = list;
    }
    return listing->by_node[owner]->count > 0 ? listing->by_node[owner] : NULL;
}

/* That of the only thing that the thread waits for: of one wildcard receive, any member will do. */
static enum wait_mode mode_of(const struct waits *waits, uint32_t node)
{
    const struct wait_node *self = &waits->graph.nodes[node];
    while (self->edge_count == 1) {
        const uint32_t next = waits->graph.successors[self->first_edge];
        const enum wait_subject_kind kind = waits->subjects[next].kind;
        if (kind == SUBJECT_PROCESS || kind == SUBJECT_THREAD || kind == SUBJECT_ANYTHING || kind == SUBJECT_STRANGERS)
            break;
        self = &waits->graph.nodes[next];
    }
    return self->mode;
}

void rank_waits_list(const struct waits *waits, const uint32_t *finding_of, struct analysis *analysis)
{
    struct listing listing = {.waits = waits,
                              .by_node = allocate((waits->subject_count + 1) * sizeof *listing.by_node)};
    for (size_t i = 0; i < waits->subject_count; i++) {
        const struct wait_subject *subject = &waits->subjects[i];
        if (subject->kind != SUBJECT_THREAD)
            continue;
        const struct wait_node *node = &waits->graph.nodes[i];
        analysis->waits = arena_append(analysis->waits, &analysis->wait_count, sizeof *analysis->waits);
        analysis->waits[analysis->wait_count - 1] = (struct rank_wait){
            .process = &waits->job->processes[subject->process],
            .thread = subject->thread,
            .dead = node->dead,
            .is_cause = node->component != NO_COMPONENT && finding_of[node->component] != NO_FINDING,
            .mode = mode_of(waits, (uint32_t)i),
            .targets = targets_of(&listing, (uint32_t)i),
        };
    }
    free(listing.by_node);
}
