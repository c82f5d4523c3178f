/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is wrong, in words, on the page.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_VERDICT_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_VERDICT_H

#include "analysis/analysis.h"

#include <stdio.h>

void html_write_verdict(FILE *stream, const struct job *job, const struct analysis *analysis);

#endif
