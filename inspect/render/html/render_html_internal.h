/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of render/html/ only.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_INTERNAL_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_INTERNAL_H

#include "analysis/analysis.h"
#include "analysis/findings/findings.h"
#include "base/base.h"
#include "render/graph/render_graph.h"
#include "render/html/render_html.h"
#include "render/text/render_text.h"
#include "source/source.h"
#include "text/text.h"
#include "words/words.h"

#include <stdio.h>

struct page_strip;

/* -- html_ranks.c --
 * Writes ranks into the page.
 */

/* A link that shows these ranks in all that is below: "ranks [0-3]"; without the link if they make an address too long.
 */
void html_write_ranks(FILE *stream, const struct ranks *ranks);
/* An attribute of an element that is there for these ranks only: the script hides it when others are chosen. */
void html_write_ranks_attribute(FILE *stream, const struct ranks *ranks);

/* -- render_html_data.c -- Data for the script of the page.
 */

/* Data for the script of the page, without characters that mean something in HTML. */
void html_write_data(FILE *stream, const struct job *job, const struct communicator_labels *labels,
                     const struct picture *picture, const struct page_strip *strip,
                     const struct render_options *options);

/* -- render_html_facts.c -- The job, and when and how it was read.
 */

void html_write_facts(FILE *stream, const struct job *job, const struct render_options *options);

/* -- render_html_graph.c --
 * The graph on the page.
 */

void html_write_graph(FILE *stream, const struct picture *picture);

/* -- render_html_history.c --
 * The last calls on the page.
 */

/* A bounded section, whatever the number of ranks. */
void html_write_history(FILE *stream, const struct job *job, const struct analysis *analysis,
                        const struct communicator_labels *labels, const struct render_options *options);

/* -- render_html_queues.c --
 * The rows of the page's table.
 */

/* Members for the rows of the page's table: "rows" ([[ranks, repeats, age, what, function, details, peer, tag,
 * communicator, status, place], ...]), "left_out" (rows) and "texts"; all but the first two of a row are numbers of
 * texts. Equal rows of several ranks are one, and equal ones of one rank. */
void page_write_rows(struct json_stream *data, const struct job *job, const struct communicator_labels *labels,
                     const struct render_options *options);

/* -- render_html_rows.c --
 * The rows of the page's table on their way. For render_html*.c only.
 */

enum page_cell {
    PAGE_WHAT, /* "call", "send", "receive", "unexpected", "collective", ... */
    PAGE_FUNCTION,
    PAGE_DETAILS,
    PAGE_PEER,
    PAGE_TAG,
    PAGE_COMMUNICATOR,
    PAGE_STATUS,
    PAGE_PLACE,
    PAGE_CELLS,
};

/* Zero-initialised is empty. */
struct page_rows {
    struct rank_texts texts;      /* by their numbers */
    struct row_content *contents; /* by number of what is the same for several rows */
    size_t content_count;
    struct rank_texts content_numbers;
    size_t *touched; /* numbers of the contents that the current rank has */
    size_t touched_count;
    struct row_group *groups; /* by number of a content and how often a rank has it */
    size_t group_count;
    struct rank_texts group_numbers;
    uint64_t left_out;
};

/* The number of a text, for a cell. */
size_t page_text(struct page_rows *rows, const char *text);
/* A row of the current rank: PAGE_CELLS numbers of texts. */
void page_rows_add(struct page_rows *rows, const size_t *cells, double age_s);
/* That was the current rank. */
void page_rows_end(struct page_rows *rows, int rank);
/* Writes the members and clears the rows. */
void page_rows_finish(struct page_rows *rows, struct json_stream *data);

/* -- render_html_source.c --
 * Source lines on the page.
 */

/* Writes the source of some places of the finding, with the call marked. */
void html_write_source(FILE *stream, struct source_view *view, const struct finding *finding);

/* -- render_html_stacks.c --
 * Call stacks and call paths on the page.
 */

/* How the ranks of the finding have come to their calls. */
void html_write_paths(FILE *stream, const struct job *job, const struct finding *finding);
/* A section with the call stacks of all threads, where they were read. */
void html_write_stacks(FILE *stream, const struct job *job, const struct render_options *options);

/* -- render_html_strip.c -- A cell for each rank of the job, with the letter of `watch` for what it does.
 */

struct strip_cell {
    char letter;
    bool is_cause; /* a culprit of a finding */
};

/* Cells that are alike. */
struct strip_kind {
    struct strip_cell cell;
    struct ranks ranks;
};

struct page_strip {
    int size; /* 0: the job has too many ranks, or none is known */
    int columns;
    struct strip_cell *cells; /* by rank */
    struct strip_kind *kinds; /* causes first, then the most */
    size_t kind_count;
};

struct page_strip page_strip_make(const struct job *job, const struct analysis *analysis);
void html_write_strip(FILE *stream, const struct page_strip *strip);
/* A member for the script: {"size", "columns", "runs": "63b!r" (how many cells, if not one; "!": they are causes; their
 * letter), "meanings": {"b": "Barrier", ...}}. */
void page_write_strip(struct json_stream *data, const struct page_strip *strip);

/* -- render_html_verdict.c -- The verdict in words, on the page.
 */

void html_write_verdict(FILE *stream, const struct job *job, const struct analysis *analysis,
                        const struct render_options *options);

#endif
