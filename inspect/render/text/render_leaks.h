/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Live objects on standard output.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_RENDER_LEAKS_H
#define MPILENS_INSPECT_RENDER_TEXT_RENDER_LEAKS_H

#include "analysis/leaks.h"
#include "render/text/render_options.h"

/* Both return 0, or -1 when writing failed. */
int render_leaks_text(FILE *stream, const struct job *job, const struct leaks *leaks, const struct findings *findings,
                      const struct render_options *options);
/* Only the table. */
int render_leaks_table(FILE *stream, const struct leaks *leaks, bool color);

#endif
