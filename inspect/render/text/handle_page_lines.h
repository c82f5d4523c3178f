/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of one handle: lines of a label and what stands behind it, with lines below them.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_LINES_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_LINES_H

#include "handle/handle.h"
#include "text/text_table.h"

struct page {
    struct text_table *table;
    struct text_line *section; /* lines are added below it; NULL: they are at the margin */
};

/* The following lines stand below this one, which has a text behind it or none (NULL). */
void page_begin(struct page *page, const char *label, const char *text);
void page_end(struct page *page);
/* Adds a line; copies the text. */
void page_add(struct page *page, const char *label, const char *text);
/* Takes the text; nothing where it is empty. */
void page_take(struct page *page, const char *label, char *text);
__attribute__((format(printf, 3, 4))) void page_write(struct page *page, const char *label, const char *format, ...);

#endif
