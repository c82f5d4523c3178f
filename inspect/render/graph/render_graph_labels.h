/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What stands at the nodes and links of a picture, in lines. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_LABELS_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_LABELS_H

#include "render/graph/render_graph_picture.h"

struct picture_label {
    char **lines; /* valid texts */
    size_t line_count;
    size_t columns; /* of the longest line */
};

/* The caller clears them. */
struct picture_label label_of_node(const struct picture_node *node);
struct picture_label label_of_link(const struct picture *picture, const struct picture_link *link);
void picture_label_clear(struct picture_label *label);

/* Whether the link leads to one of several ranks of which any would do. */
bool link_is_choice(const struct picture *picture, const struct picture_link *link);

#endif
