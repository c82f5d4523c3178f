/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tells nodes of different roles apart.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_LOOKS_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_LOOKS_H

#include "render/graph/render_graph_picture.h"

struct picture_look {
    const char *class;      /* "cause", "involved", ... */
    const char *ink;        /* the colour of texts: "black", "#444444" */
    const char *attributes; /* of Graphviz, with commas between them */
};

const struct picture_look *picture_look(enum picture_role role);

#endif
