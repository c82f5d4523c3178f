/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Texts in cells, all of one width. For render_graph*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_CELL_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_CELL_H

#include <stdio.h>

/* Of one column, in points. */
extern const double cell_width;

/* The text as an element of SVG around (x, y), as wide as its columns; `ink`: its colour. */
void write_cells(FILE *stream, const char *text, const char *ink, double x, double y);

#endif
