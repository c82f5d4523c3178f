/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of the page's table on their way. For render_html*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_ROWS_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_ROWS_H

#include "base/rank_texts.h"
#include "render/html/render_html.h"

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

/* Begins with `texts` an empty array, all else zero. */
struct page_rows {
    json_t *texts;
    struct rank_texts text_numbers;
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

/* The number of a text, for a cell; the second frees it. */
json_int_t page_text(struct page_rows *rows, const char *text);
json_int_t page_take_text(struct page_rows *rows, char *text);
/* A row of the current rank: PAGE_CELLS numbers of texts. */
void page_rows_add(struct page_rows *rows, const json_int_t *cells, double age_s);
/* That was the current rank. */
void page_rows_end(struct page_rows *rows, int rank);
/* Clears the rows and returns what page_rows() does. */
json_t *page_rows_finish(struct page_rows *rows);

#endif
