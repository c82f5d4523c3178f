/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits for whom, as a graph.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_H

#include "analysis/analysis.h"
#include "base/reason.h"
#include "render/graph/render_graph_picture.h"

#include <stdio.h>

/* Source for Graphviz: a directed graph whose nodes are called as describe_picture_ranks() says and have the class of
 * their role (cause, involved, consequence, waits, ended, unread, live); in SVG the id of node i is "node<i>". 0, or
 * -1 when writing failed. */
int picture_write_dot(FILE *stream, const struct picture *picture);
/* The same drawn by Graphviz, whose program dot is run: a document that looks alike whatever fonts this machine and the
 * one that shows it have. The caller frees *ret_svg. 0, or -1 and a reason, as that Graphviz is not installed. */
int picture_draw(const struct picture *picture, char **ret_svg, struct reason *ret_reason);

/* Both on a stream; 0, or -1 and a reason. */
int render_why_dot(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason);
int render_why_svg(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason);

/* "cause", "involved", ... */
const char *picture_role_class(enum picture_role role);

#endif
