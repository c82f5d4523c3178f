/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verdict as a page that needs nothing but itself: what is wrong in words, who waits for whom, and what every rank
 * has under way. The page is inspect/render/html/page.html.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_H

#include "analysis/analysis.h"
#include "base/reason.h"
#include "render/graph/render_graph_picture.h"
#include "render/text/render_options.h"

#include <jansson.h>

/* Writes the page to the file, "-": standard output. 0, or -1 and a reason. */
int render_why_html(const char *path, const struct job *job, const struct analysis *analysis,
                    const struct render_options *options, struct reason *ret_reason);

/* For render_html*.c only. */

/* The page, in which <!--[name]--> stands for what is filled in. */
extern const char page_template[];

void html_write_verdict(FILE *stream, const struct job *job, const struct analysis *analysis);
/* How the ranks of the finding have come to their calls. */
void html_write_paths(FILE *stream, const struct job *job, const struct finding *finding);
/* A section with the call stacks of all threads, where they were read. */
void html_write_stacks(FILE *stream, const struct job *job, const struct render_options *options);
void html_write_graph(FILE *stream, const struct picture *picture);
/* What the script of the page reads, without a character that HTML knows. */
void html_write_data(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                     const struct picture *picture, const struct render_options *options);

/* More rows are not on the page. */
enum { MOST_PAGE_ROWS = 100000 };

/* The rows of the page's table: {"texts": [...], "rows": [[ranks, repeats, age, what, function, details, peer, tag,
 * communicator, status, place], ...], "left_out": n}; all but the first two are numbers of texts. Equal rows of several
 * ranks are one, and equal ones of one rank. The caller releases it. */
json_t *page_rows(const struct job *job, const struct communicator_labels *labels,
                  const struct render_options *options);

#endif
