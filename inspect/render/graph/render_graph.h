/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who waits for whom, as a graph.
 */
#ifndef MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_H
#define MPILENS_INSPECT_RENDER_GRAPH_RENDER_GRAPH_H

#include "analysis/analysis.h"
#include "base/reason.h"

#include <stdio.h>

/* Both on a stream; 0, or -1 and a reason. */
int render_why_dot(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason);
int render_why_svg(FILE *stream, const struct job *job, const struct analysis *analysis, struct reason *ret_reason);

#endif
