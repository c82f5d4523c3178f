/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the script of the page reads.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_DATA_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_DATA_H

#include "render/graph/render_graph_picture.h"
#include "render/text/render_options.h"

/* What the script of the page reads, without a character that HTML knows. */
void html_write_data(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                     const struct picture *picture, const struct render_options *options);

#endif
