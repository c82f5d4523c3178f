/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph as source for Graphviz.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_DOT_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_DOT_H

#include "render/graph/render_graph_picture.h"

#include <stdio.h>

/* Source for Graphviz: a directed graph whose nodes are called as describe_picture_ranks() says and have the class of
 * their role (cause, involved, consequence, waits, ended, unread, seen, live); in SVG the id of node i is "node<i>". 0,
 * or -1 when writing failed. */
int picture_write_dot(FILE *stream, const struct picture *picture);
/* As picture_write_dot(), but with places for labels where `has_places`. */
int picture_write_source(FILE *stream, const struct picture *picture, bool has_places);

#endif
