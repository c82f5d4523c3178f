/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest part of a component that explains why it is dead.
 *
 * A set is closed when each node that waits for all has one of its successors in it, and each that waits for any has
 * all of its dead ones in it: then none of it can go on. From a start, nodes that wait for all take the successor from
 * which the start is nearest; the search from several starts keeps the smallest set. Where no node waits for any, that
 * is a shortest cycle through the start; and where all cycles go through the first node found, as in a ring, none is
 * shorter than the shortest through that, and the search ends with the first of its length.
 */
#include "analysis/graph/graph.h"
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* Edges that all searches together look at. */
enum { MOST_STEPS = 20000000 };

struct knot_search {
    const struct wait_graph *graph;
    uint32_t component;
    uint32_t *queue;        /* nodes */
    uint32_t *distance;     /* by place, to the start; UINT32_MAX: not known. While waiters are listed: how many are */
    uint32_t *first_waiter; /* by place, into waiters; one more than places */
    uint32_t *waiters;      /* nodes of the component, by the node that they wait for */
    bool *is_member;        /* by place */
    size_t steps;
};

static const struct wait_component *component_of(const struct knot_search *search)
{
    return &search->graph->components[search->component];
}

static bool in_component(const struct knot_search *search, uint32_t node)
{
    return search->graph->nodes[node].component == search->component;
}

static uint32_t place_of(const struct knot_search *search, uint32_t node)
{
    return search->graph->nodes[node].place;
}

static void list_waiters(struct knot_search *search)
{
    const struct wait_component *component = component_of(search);
    const struct wait_graph *graph = search->graph;
    const uint32_t *members = graph->by_component + component->first;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < component->count; i++) {
            const struct wait_node *node = &graph->nodes[members[i]];
            for (uint32_t j = 0; j < node->edge_count; j++) {
                const uint32_t successor = graph->successors[node->first_edge + j];
                if (!in_component(search, successor))
                    continue;
                const uint32_t place = place_of(search, successor);
                if (pass == 0)
                    search->first_waiter[place + 1]++;
                else
                    search->waiters[search->first_waiter[place] + search->distance[place]++] = members[i];
            }
        }
        if (pass == 1)
            return;
        for (uint32_t i = 0; i < component->count; i++)
            search->first_waiter[i + 1] += search->first_waiter[i];
        search->waiters = allocate((search->first_waiter[component->count] + 1) * sizeof *search->waiters);
    }
}

/* How far every node of the component is from the start. */
static void measure(struct knot_search *search, uint32_t start)
{
    const struct wait_component *component = component_of(search);
    memset(search->distance, 0xff, component->count * sizeof *search->distance);
    size_t count = 0;
    search->distance[place_of(search, start)] = 0;
    search->queue[count++] = start;
    for (size_t next = 0; next < count; next++) {
        const uint32_t place = place_of(search, search->queue[next]);
        for (uint32_t i = search->first_waiter[place]; i < search->first_waiter[place + 1]; i++) {
            const uint32_t waiter = place_of(search, search->waiters[i]);
            search->steps++;
            if (search->distance[waiter] != UINT32_MAX)
                continue;
            search->distance[waiter] = search->distance[place] + 1;
            search->queue[count++] = search->waiters[i];
        }
    }
}

static void take(struct knot_search *search, uint32_t node, size_t *count)
{
    if (search->is_member[place_of(search, node)])
        return;
    search->is_member[place_of(search, node)] = true;
    search->queue[(*count)++] = node;
}

/* The successor in the component that is nearest to the start. */
static uint32_t nearest_successor(struct knot_search *search, const struct wait_node *node)
{
    uint32_t nearest = NO_COMPONENT;
    for (uint32_t i = 0; i < node->edge_count; i++) {
        const uint32_t successor = search->graph->successors[node->first_edge + i];
        search->steps++;
        if (in_component(search, successor) &&
            (nearest == NO_COMPONENT ||
             search->distance[place_of(search, successor)] < search->distance[place_of(search, nearest)]))
            nearest = successor;
    }
    return nearest;
}

/* The closed set of the start, in search->queue; stops when it is larger than `most`. */
static size_t close_from(struct knot_search *search, uint32_t start, size_t most)
{
    size_t count = 0;
    measure(search, start);
    take(search, start, &count);
    for (size_t next = 0; next < count && count <= most; next++) {
        const struct wait_node *node = &search->graph->nodes[search->queue[next]];
        if (node->mode == WAITS_FOR_ALL) {
            take(search, nearest_successor(search, node), &count);
            continue;
        }
        for (uint32_t i = 0; i < node->edge_count; i++) {
            const uint32_t successor = search->graph->successors[node->first_edge + i];
            search->steps++;
            if (in_component(search, successor))
                take(search, successor, &count);
        }
    }
    for (size_t i = 0; i < count; i++)
        search->is_member[place_of(search, search->queue[i])] = false;
    return count;
}

/* Whether a node that waits for any has several in the component, so that sets are more than cycles. */
static bool has_choices(const struct knot_search *search)
{
    const struct wait_component *component = component_of(search);
    const struct wait_graph *graph = search->graph;
    for (uint32_t i = 0; i < component->count; i++) {
        const struct wait_node *node = &graph->nodes[graph->by_component[component->first + i]];
        uint32_t inside = 0;
        for (uint32_t j = 0; j < node->edge_count && node->mode != WAITS_FOR_ALL; j++)
            inside += in_component(search, graph->successors[node->first_edge + j]);
        if (inside > 1)
            return true;
    }
    return false;
}

/* Whether nothing goes round without this node: the others can be put into an order. */
static bool is_on_all_cycles(struct knot_search *search, uint32_t node)
{
    const struct wait_component *component = component_of(search);
    const struct wait_graph *graph = search->graph;
    uint32_t *left = search->distance; /* by place: successors in the component that are not in order yet */
    size_t count = 0;
    for (uint32_t i = 0; i < component->count; i++) {
        const struct wait_node *member = &graph->nodes[graph->by_component[component->first + i]];
        left[i] = 0;
        for (uint32_t j = 0; j < member->edge_count; j++)
            left[i] += in_component(search, graph->successors[member->first_edge + j]);
    }
    search->queue[count++] = node;
    for (size_t next = 0; next < count; next++) {
        const uint32_t place = place_of(search, search->queue[next]);
        for (uint32_t i = search->first_waiter[place]; i < search->first_waiter[place + 1]; i++)
            if (search->waiters[i] != node && --left[place_of(search, search->waiters[i])] == 0)
                search->queue[count++] = search->waiters[i];
    }
    return count == component->count;
}

/* No set is smaller than this; 0: that is not known. */
static size_t find_least(struct knot_search *search)
{
    const struct wait_component *component = component_of(search);
    const uint32_t root = search->graph->by_component[component->first + component->count - 1];
    if (has_choices(search) || !is_on_all_cycles(search, root))
        return 0;
    return close_from(search, root, component->count);
}

void wait_graph_find_knot(const struct wait_graph *graph, uint32_t component, uint32_t **ret_nodes, size_t *ret_count)
{
    const uint32_t count = graph->components[component].count;
    const uint32_t *members = graph->by_component + graph->components[component].first;
    struct knot_search search = {
        .graph = graph,
        .component = component,
        .queue = allocate(((size_t)count + 1) * sizeof *search.queue),
        .distance = allocate(((size_t)count + 1) * sizeof *search.distance),
        .first_waiter = allocate(((size_t)count + 1) * sizeof *search.first_waiter),
        .is_member = allocate(((size_t)count + 1) * sizeof *search.is_member),
    };
    list_waiters(&search);
    uint32_t *best = arena_allocate((size_t)count * sizeof *best);
    size_t best_count = count;
    memcpy(best, members, (size_t)count * sizeof *best);
    const size_t least = find_least(&search);
    search.steps = 0;
    for (uint32_t i = 0; i < count && search.steps < MOST_STEPS && (i == 0 || best_count > least); i++) {
        const size_t found = close_from(&search, members[i], best_count);
        if (found >= best_count)
            continue;
        best_count = found;
        memcpy(best, search.queue, found * sizeof *best);
    }
    free(search.queue);
    free(search.distance);
    free(search.first_waiter);
    free(search.waiters);
    free(search.is_member);
    *ret_nodes = best;
    *ret_count = best_count;
}
