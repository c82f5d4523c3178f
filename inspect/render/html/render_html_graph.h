/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph on the page.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_GRAPH_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_GRAPH_H

#include "render/graph/render_graph_picture.h"

#include <stdio.h>

void html_write_graph(FILE *stream, const struct picture *picture);

#endif
