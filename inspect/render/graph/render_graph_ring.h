/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The drawing of a ring: ranks on a circle, with an arrow from each to the next. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_RING_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_RING_H

#include "render/graph/render_graph_picture.h"

#include <stdio.h>

/* In points; 0: the node has no ring, or is NULL. */
struct ring_size {
    double width, height;
};
struct ring_size ring_size_of(const struct picture_node *node);

/* Elements of SVG around (x, y); `ink`: their colour. */
void write_ring(FILE *stream, const struct picture_node *node, const char *ink, double x, double y);

#endif
