/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Knots of a wait-for graph.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAIT_KNOT_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAIT_KNOT_H

#include "analysis/graph/wait_graph.h"

/* A small part of a cyclic component that cannot go on whatever happens outside of it: a shortest cycle where no node
 * in it has a choice, else a closed set found from the node that gives the smallest. How well it is searched is bounded
 * by a number of steps, so the result is small, not always the smallest. The caller frees *ret_nodes. */
void wait_graph_find_knot(const struct wait_graph *graph, uint32_t component, uint32_t **ret_nodes, size_t *ret_count);

#endif
