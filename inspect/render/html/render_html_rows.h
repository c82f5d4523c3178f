/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rows of the page's table on their way. For render_html*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_ROWS_H
#define MPILENS_INSPECT_RENDER_HTML_RENDER_HTML_ROWS_H

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
    void *text_tree;              /* tsearch tree of struct numbered_text */
    void *content_tree;           /* of struct row_content */
    struct row_content **touched; /* those that the current rank has */
    size_t touched_count;
    struct row_group **groups;
    size_t group_count;
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
