/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verdict as a page that needs nothing but itself: the findings in words, the graph of waits, and the operations of
 * every rank. The page is inspect/render/html/page.html.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_H

#include "analysis/analysis.h"
#include "base/base.h"
#include "render/graph/render_graph.h"
#include "render/text/render_text.h"

/* Writes the page. 0, or -1 when writing failed. */
int render_why_page(FILE *stream, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options);
/* Writes the page to the file, "-": standard output. 0, or -1 and a reason. */
int render_why_html(const char *path, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options, struct reason *ret_reason);

/* For render_html*.c only. */

/* The page, in which <!--[name]--> stands for what is filled in. */
extern const char page_template[];

/* More rows are not on the page. */
enum { MOST_PAGE_ROWS = 100000 };

#endif
