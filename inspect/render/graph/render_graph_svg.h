/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph, drawn.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_SVG_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_SVG_H

#include "base/reason.h"
#include "render/graph/render_graph_picture.h"

/* The graph drawn by Graphviz, whose program dot is run: a document that looks alike whatever fonts this machine and
 * the one that shows it have. The caller frees *ret_svg. 0, or -1 and a reason, as that Graphviz is not installed. */
int picture_draw(const struct picture *picture, char **ret_svg, struct reason *ret_reason);

#endif
