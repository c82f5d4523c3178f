/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where texts go in a drawing. Graphviz would measure them by a font of the machine that draws, and who shows them has
 * another: so Graphviz gets a place of our size for each label, and we write the texts there, as wide as their place.
 * For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_PLACES_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_PLACES_H

#include "render/graph/render_graph_labels.h"

#include <stdio.h>

/* Numbers of places. */
size_t place_of_node(size_t node);
size_t place_of_link(const struct picture *picture, size_t link);

/* A label of Graphviz with its delimiters, which is drawn as a box without text. `node`: the ring that it may have goes
 * below the text; NULL: the label of a link. */
void write_place(FILE *stream, const struct picture_label *label, const struct picture_node *node, size_t number);
/* The drawing with the texts of the picture in its places; the caller frees it. NULL: it has not all of them. */
char *fill_places(const char *drawing, const struct picture *picture);

#endif
