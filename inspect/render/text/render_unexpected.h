/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the unexpected messages are known of ranks that were started with `mpilens run --unexpected=exact`.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_UNEXPECTED_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_UNEXPECTED_H

#include "model/model.h"
#include "render/text/render_options.h"

#include <stdio.h>

/* A line for each way, below the queues; nothing where no such rank is shown. */
void render_unexpected(FILE *stream, const struct job *job, const struct rank_set *ranks);

#endif
