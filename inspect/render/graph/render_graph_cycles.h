/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that do the same and wait for each other in a ring. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_CYCLES_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_CYCLES_H

#include "render/graph/render_graph_classes.h"

struct cycle {
    size_t *classes; /* of one process each; each waits for nothing but the next, the last one for the first */
    size_t count;
};

struct cycles {
    struct cycle *items;
    size_t count;
    size_t class_count; /* of all of them */
};

/* Fewer are a pair, and more rings no picture. */
enum { LEAST_IN_RING = 3, MOST_RINGS = 12 };

/* In O(n) of the classes. */
struct cycles cycles_find(const struct classes *classes);
void cycles_clear(struct cycles *cycles);

#endif
