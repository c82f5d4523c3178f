/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds who can never go on: releases nodes from those that can act, then orders what is left into components.
 */
#include "analysis/graph/graph.h"

#include "base/base.h"

#include <stdlib.h>

uint32_t wait_graph_add(struct wait_graph *graph, enum wait_mode mode)
{
    graph->nodes = arena_append(graph->nodes, &graph->node_count, sizeof *graph->nodes);
    graph->nodes[graph->node_count - 1] = (struct wait_node){.mode = mode, .component = NO_COMPONENT};
    return (uint32_t)(graph->node_count - 1);
}

void wait_graph_connect(struct wait_graph *graph, uint32_t from, uint32_t to)
{
    graph->edges = array_append(graph->edges, &graph->edge_count, sizeof *graph->edges);
    graph->edges[graph->edge_count - 1] = (struct wait_edge){from, to};
}

struct wait_waiters wait_graph_list_waiters(const struct wait_graph *graph)
{
    struct wait_waiters lists = {
        .starts = arena_allocate((graph->node_count + 2) * sizeof *lists.starts),
        .items = arena_allocate((graph->edge_count + 1) * sizeof *lists.items),
    };
    uint32_t *ends = lists.starts + 1; /* behind the last waiter that stands there: first none, then all of a node */
    for (size_t i = 0; i < graph->edge_count; i++)
        lists.starts[graph->successors[i] + 2]++;
    for (size_t i = 0; i < graph->node_count; i++)
        ends[i + 1] += ends[i];
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct wait_node *node = &graph->nodes[i];
        for (uint32_t j = 0; j < node->edge_count; j++)
            lists.items[ends[graph->successors[node->first_edge + j]]++] = (uint32_t)i;
    }
    return lists;
}

/* The edges of a node follow each other, in the order in which they were added. */
static void take_successors(struct wait_graph *graph)
{
    graph->successors = arena_allocate((graph->edge_count + 1) * sizeof *graph->successors);
    for (size_t i = 0; i < graph->edge_count; i++)
        graph->nodes[graph->edges[i].from].edge_count++;
    uint32_t first = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        graph->nodes[i].first_edge = first;
        first += graph->nodes[i].edge_count;
        graph->nodes[i].edge_count = 0;
    }
    for (size_t i = 0; i < graph->edge_count; i++) {
        struct wait_node *node = &graph->nodes[graph->edges[i].from];
        graph->successors[node->first_edge + node->edge_count++] = graph->edges[i].to;
    }
    free(graph->edges);
    graph->edges = NULL;
}

/* How many of its successors must be able to act before it goes on; more than it has: never. */
static uint32_t count_needed(const struct wait_node *node)
{
    switch (node->mode) {
    case WAITS_FOR_NOTHING:
        return 0;
    case WAITS_FOR_ALL:
        return node->edge_count;
    case WAITS_FOR_ANY:
        return 1;
    default:
        return UINT32_MAX;
    }
}

static void find_dead(struct wait_graph *graph)
{
    const struct arena_mark mark = arena_mark();
    const struct wait_waiters waiters = wait_graph_list_waiters(graph);
    uint32_t *needed = allocate((graph->node_count + 1) * sizeof *needed);
    uint32_t *released = allocate((graph->node_count + 1) * sizeof *released);
    size_t count = 0;
    for (size_t i = 0; i < graph->node_count; i++) {
        needed[i] = count_needed(&graph->nodes[i]);
        graph->nodes[i].dead = needed[i] != 0;
        if (needed[i] == 0)
            released[count++] = (uint32_t)i;
    }
    /* Each node that can act brings its waiters one step nearer; nodes that are never reached can never go on. */
    for (size_t next = 0; next < count; next++)
        for (uint32_t i = waiters.starts[released[next]]; i < waiters.starts[released[next] + 1]; i++) {
            const uint32_t waiter = waiters.items[i];
            if (!graph->nodes[waiter].dead || needed[waiter] == UINT32_MAX || --needed[waiter] > 0)
                continue;
            graph->nodes[waiter].dead = false;
            released[count++] = waiter;
        }
    free(released);
    free(needed);
    arena_release(mark);
}

/* Tarjan's search for strongly connected components (SIAM J. Comput. 1, 1972), without recursion. */
struct search {
    struct wait_graph *graph;
    uint32_t *index; /* order of discovery from 1, 0: not discovered */
    uint32_t *low;   /* the oldest node on `open` that can be reached */
    uint32_t *next;  /* edges looked at */
    uint32_t *open;  /* discovered, component not known */
    uint32_t *path;  /* from the root of the search */
    size_t open_count, path_count, placed;
    uint32_t discovered;
};

static void discover(struct search *search, uint32_t node)
{
    search->index[node] = search->low[node] = ++search->discovered;
    search->open[search->open_count++] = node;
    search->path[search->path_count++] = node;
}

static void close_component(struct search *search, uint32_t root)
{
    struct wait_graph *graph = search->graph;
    graph->components = arena_append(graph->components, &graph->component_count, sizeof *graph->components);
    struct wait_component *component = &graph->components[graph->component_count - 1];
    *component = (struct wait_component){.first = (uint32_t)search->placed, .is_sink = true};
    uint32_t node;
    do {
        node = search->open[--search->open_count];
        graph->nodes[node].component = (uint32_t)(graph->component_count - 1);
        graph->nodes[node].place = component->count;
        graph->by_component[search->placed++] = node;
        component->count++;
    } while (node != root);
}

/* Goes one step down or up. */
static void step(struct search *search)
{
    const struct wait_graph *graph = search->graph;
    const uint32_t node = search->path[search->path_count - 1];
    const struct wait_node *self = &graph->nodes[node];
    if (search->next[node] < self->edge_count) {
        const uint32_t successor = graph->successors[self->first_edge + search->next[node]++];
        if (!graph->nodes[successor].dead)
            return;
        if (search->index[successor] == 0)
            discover(search, successor);
        else if (graph->nodes[successor].component == NO_COMPONENT && search->index[successor] < search->low[node])
            search->low[node] = search->index[successor];
        return;
    }
    search->path_count--;
    if (search->path_count > 0) {
        const uint32_t parent = search->path[search->path_count - 1];
        if (search->low[node] < search->low[parent])
            search->low[parent] = search->low[node];
    }
    if (search->low[node] == search->index[node])
        close_component(search, node);
}

static void find_components(struct wait_graph *graph)
{
    const size_t bytes = (graph->node_count + 1) * sizeof(uint32_t);
    struct search search = {.graph = graph,
                            .index = allocate(bytes),
                            .low = allocate(bytes),
                            .next = allocate(bytes),
                            .open = allocate(bytes),
                            .path = allocate(bytes)};
    graph->by_component = arena_allocate(bytes);
    for (size_t i = 0; i < graph->node_count; i++) {
        if (!graph->nodes[i].dead || search.index[i] != 0)
            continue;
        discover(&search, (uint32_t)i);
        while (search.path_count > 0)
            step(&search);
    }
    free(search.index);
    free(search.low);
    free(search.next);
    free(search.open);
    free(search.path);
}

static void look_at_edges(struct wait_graph *graph)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct wait_node *from = &graph->nodes[i];
        for (uint32_t j = 0; from->dead && j < from->edge_count; j++) {
            const struct wait_node *to = &graph->nodes[graph->successors[from->first_edge + j]];
            if (to->dead && from->component == to->component)
                graph->components[from->component].is_cyclic = true;
            else if (to->dead)
                graph->components[from->component].is_sink = false;
        }
    }
}

void wait_graph_solve(struct wait_graph *graph)
{
    take_successors(graph);
    find_dead(graph);
    find_components(graph);
    look_at_edges(graph);
}
