/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of `show`.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_TEXT_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_TEXT_H

#include "render/text/render_options.h"

/* 0, or -1 when writing failed. */
int render_show_text(FILE *stream, const struct job *job, const struct render_options *options);

/* The line that says which job it is. */
void render_header(FILE *stream, const struct job *job, const struct render_options *options);
/* Why places have no source lines, below everything else. */
void render_hints(FILE *stream, const struct job *job);

#endif
