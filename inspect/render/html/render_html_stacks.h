/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Call stacks and call paths on the page.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_STACKS_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_STACKS_H

#include "analysis/findings/finding.h"
#include "render/text/render_options.h"

/* How the ranks of the finding have come to their calls. */
void html_write_paths(FILE *stream, const struct job *job, const struct finding *finding);
/* A section with the call stacks of all threads, where they were read. */
void html_write_stacks(FILE *stream, const struct job *job, const struct render_options *options);

#endif
