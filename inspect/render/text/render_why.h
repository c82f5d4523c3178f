/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verdict on standard output.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_WHY_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_WHY_H

#include "analysis/analysis.h"
#include "render/text/render_options.h"

/* 0, or -1 when writing failed. */
int render_why_text(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options);

#endif
