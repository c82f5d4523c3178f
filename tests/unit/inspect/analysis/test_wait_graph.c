/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Wait-for graphs: random ones against the definition of who is dead, and large ones.
 */
#include "analysis/graph/graph.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES = 9, ROUNDS = 3000 };

/* The edges of the random graph, as many as it has. */
static struct wait_edge all_edges[2 * MOST_NODES];

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool goes_on(const struct wait_graph *graph, size_t node, const bool *dead)
{
    size_t successors = 0, able = 0;
    for (size_t i = 0; i < graph->edge_count; i++)
        if (all_edges[i].from == node) {
            successors++;
            able += !dead[all_edges[i].to];
        }
    switch (graph->nodes[node].mode) {
    case WAITS_FOR_NOTHING:
        return true;
    case WAITS_FOR_ALL:
        return able == successors;
    case WAITS_FOR_ANY:
        return able > 0;
    default:
        return false;
    }
}

/* The definition: the greatest set of which nobody can go on as long as none of it does. */
static void find_dead_by_definition(const struct wait_graph *graph, bool *dead)
{
    memset(dead, 1, graph->node_count);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < graph->node_count; i++)
            if (dead[i] && goes_on(graph, i, dead)) {
                dead[i] = false;
                changed = true;
            }
    }
}

static struct wait_graph random_graph(uint32_t *state)
{
    struct wait_graph graph = {0};
    const size_t nodes = 1 + next_random(state) % MOST_NODES;
    const size_t edges = next_random(state) % (2 * nodes + 1);
    for (size_t i = 0; i < nodes; i++) {
        const uint32_t kind = next_random(state) % 12;
        wait_graph_add(&graph, kind == 0   ? WAITS_FOR_NOTHING
                               : kind == 1 ? WAITS_IN_VAIN
                               : kind < 7  ? WAITS_FOR_ALL
                                           : WAITS_FOR_ANY);
    }
    for (size_t i = 0; i < edges; i++)
        wait_graph_connect(&graph, next_random(state) % nodes, next_random(state) % nodes);
    if (edges > 0)
        memcpy(all_edges, graph.edges, edges * sizeof *all_edges);
    return graph;
}

static bool reaches(const struct wait_graph *graph, uint32_t from, uint32_t to)
{
    bool seen[MOST_NODES] = {false};
    for (size_t pass = 0; pass < graph->node_count; pass++)
        for (size_t i = 0; i < graph->edge_count; i++) {
            const struct wait_edge *edge = &all_edges[i];
            if ((edge->from == from || seen[edge->from]) && graph->nodes[edge->to].dead)
                seen[edge->to] = true;
        }
    return seen[to];
}

static void expect_components(const struct wait_graph *graph)
{
    for (uint32_t i = 0; i < graph->node_count; i++)
        for (uint32_t j = 0; j < graph->node_count; j++) {
            if (!graph->nodes[i].dead || !graph->nodes[j].dead || i == j)
                continue;
            const bool together = reaches(graph, i, j) && reaches(graph, j, i);
            cr_assert_eq(graph->nodes[i].component == graph->nodes[j].component, together);
            if (graph->components[graph->nodes[i].component].is_sink && reaches(graph, i, j))
                cr_assert_eq(graph->nodes[i].component, graph->nodes[j].component, "a sink that can be left");
        }
}

/* Nobody in the knot can go on, even if everybody outside of it did. */
static void expect_closed(const struct wait_graph *graph, uint32_t component)
{
    uint32_t *nodes;
    size_t count;
    bool in_knot[MOST_NODES] = {false};
    wait_graph_find_knot(graph, component, &nodes, &count);
    cr_assert_gt(count, 0);
    for (size_t i = 0; i < count; i++)
        in_knot[nodes[i]] = true;
    for (size_t i = 0; i < count; i++)
        cr_assert_not(goes_on(graph, nodes[i], in_knot), "node %u of the knot can go on", nodes[i]);
}

Test(wait_graph, agrees_with_the_definition)
{
    uint32_t state = 7;
    size_t dead_seen = 0, knots_seen = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct wait_graph graph = random_graph(&state);
        bool dead[MOST_NODES];
        find_dead_by_definition(&graph, dead);
        wait_graph_solve(&graph);
        for (size_t i = 0; i < graph.node_count; i++) {
            cr_assert_eq(graph.nodes[i].dead, dead[i], "round %d, node %zu", round, i);
            dead_seen += dead[i];
        }
        expect_components(&graph);
        for (uint32_t i = 0; i < graph.component_count; i++)
            if (graph.components[i].is_sink && graph.components[i].is_cyclic) {
                expect_closed(&graph, i);
                knots_seen++;
            }
    }
    cr_assert_gt(dead_seen, ROUNDS);
    cr_assert_gt(knots_seen, ROUNDS / 10);
}

Test(wait_graph, shortest_cycle)
{
    struct wait_graph graph = {0};
    for (int i = 0; i < 10; i++)
        wait_graph_add(&graph, WAITS_FOR_ALL);
    for (uint32_t i = 0; i < 10; i++)
        wait_graph_connect(&graph, i, (i + 1) % 10);
    wait_graph_connect(&graph, 6, 4);
    wait_graph_solve(&graph);
    uint32_t *nodes;
    size_t count;
    cr_assert_eq(graph.component_count, 1);
    wait_graph_find_knot(&graph, 0, &nodes, &count);
    cr_expect_eq(count, 3);
    for (size_t i = 0; i < count; i++)
        cr_expect(nodes[i] >= 4 && nodes[i] <= 6);
}

Test(wait_graph, a_million_nodes)
{
    enum { MANY = 1000000 };
    struct wait_graph graph = {0};
    for (uint32_t i = 0; i < MANY; i++)
        wait_graph_add(&graph, WAITS_FOR_ALL);
    const uint32_t live = wait_graph_add(&graph, WAITS_FOR_NOTHING);
    for (uint32_t i = 0; i < MANY / 2; i++)
        wait_graph_connect(&graph, i, i + 1 < MANY / 2 ? i + 1 : 0); /* one large ring */
    for (uint32_t i = MANY / 2; i < MANY; i++)
        wait_graph_connect(&graph, i, i + 1 < MANY ? i + 1 : live); /* a chain that is released from its end */
    wait_graph_solve(&graph);
    cr_assert_eq(graph.component_count, 1);
    cr_expect_eq(graph.components[0].count, MANY / 2);
    cr_expect_not(graph.nodes[MANY / 2].dead);
    uint32_t *nodes;
    size_t count;
    wait_graph_find_knot(&graph, 0, &nodes, &count);
    cr_expect_eq(count, MANY / 2);
}
