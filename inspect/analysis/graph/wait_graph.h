/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A wait-for graph with AND and OR nodes: who can never go on, and because of whom.
 *
 * A node goes on when enough of its successors can act: all of them, any of them, at once (it waits for nothing), or
 * never. What cannot go on under any future course of those that can is dead (the greatest set in which each waits for
 * another one of the set, or for what will never come). All functions take time and memory linear in nodes and edges.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAIT_GRAPH_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAIT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wait_mode {
    WAITS_FOR_NOTHING, /* can act */
    WAITS_FOR_ALL,
    WAITS_FOR_ANY, /* without edges: never */
    WAITS_IN_VAIN,
};

struct wait_edge {
    uint32_t from, to;
};

struct wait_node {
    uint8_t mode;        /* enum wait_mode */
    bool dead;           /* by wait_graph_solve */
    uint32_t first_edge; /* by wait_graph_solve: into wait_graph.successors */
    uint32_t edge_count; /* likewise */
    uint32_t component;  /* by wait_graph_solve, of dead nodes: which of the strongly connected components of the dead
                            part; NO_COMPONENT else */
    uint32_t place;      /* likewise: in its component */
};

#define NO_NODE      UINT32_MAX
#define NO_COMPONENT UINT32_MAX

struct wait_component {
    uint32_t first; /* into wait_graph.by_component */
    uint32_t count;
    bool is_sink;   /* it waits for no other dead component: it is a cause, not a consequence */
    bool is_cyclic; /* its nodes wait for each other, or its only one for itself */
};

/* Zero-initialised is empty. */
struct wait_graph {
    struct wait_node *nodes;
    size_t node_count;
    struct wait_edge *edges; /* as added; until wait_graph_solve */
    size_t edge_count;
    uint32_t *successors; /* by wait_graph_solve */
    struct wait_component *components;
    size_t component_count;
    uint32_t *by_component; /* dead nodes, those of one component together */
};

/* The number of the new node. */
uint32_t wait_graph_add(struct wait_graph *graph, enum wait_mode mode);
void wait_graph_connect(struct wait_graph *graph, uint32_t from, uint32_t to);

/* Finds the dead nodes and their components. Once, after all nodes and edges were added. */
void wait_graph_solve(struct wait_graph *graph);

/* Who waits for whom, the other way round: those that wait for node n are items[starts[n]] to items[starts[n + 1]], in
 * the order of their numbers. After wait_graph_solve.
 * Both arrays are the caller's to free. */
struct wait_waiters {
    uint32_t *starts; /* [node_count + 1] */
    uint32_t *items;
};
struct wait_waiters wait_graph_list_waiters(const struct wait_graph *graph);

void wait_graph_clear(struct wait_graph *graph);

#endif
