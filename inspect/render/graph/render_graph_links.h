/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The links of a picture. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_LINKS_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_LINKS_H

#include "render/graph/render_graph_classes.h"

/* Fills the links of the picture, whose nodes are there; `node_of`: the node of each class. */
void picture_find_links(const struct classes *classes, const size_t *node_of, const struct communicator_labels *labels,
                        struct picture *picture);

#endif
