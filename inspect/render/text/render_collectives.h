/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators and their collective calls as a table.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_COLLECTIVES_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_COLLECTIVES_H

#include "render/text/render_options.h"
#include "words/describe.h"

/* A section of the text of `show`. 0, or -1 when writing failed. */
int render_collectives(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                       const struct render_options *options);

#endif
