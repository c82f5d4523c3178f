/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of one handle: lines of a label and what stands behind it, with lines below them. For handle_page*.c only.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_H

#include "handle/handle.h"
#include "text/text_table.h"

struct page {
    struct text_table *table;
    struct text_line *section; /* lines are added below it; NULL: they are at the margin */
};

/* The following lines stand below this one, which has a text behind it or none (NULL). */
void page_begin(struct page *page, const char *label, const char *text);
void page_end(struct page *page);
/* Takes the text; nothing where it is empty. */
void page_take(struct page *page, const char *label, char *text);
__attribute__((format(printf, 3, 4))) void page_write(struct page *page, const char *label, const char *format, ...);

/* What only some kinds have. */
void page_communicator(struct page *page, const struct handle *handle);
void page_group(struct page *page, const struct handle *handle);
void page_window(struct page *page, const struct handle *handle);
void page_file(struct page *page, const struct handle *handle);
void page_request(struct page *page, const struct handle *handle);
void page_status(struct page *page, const struct handle *handle);
void page_message(struct page *page, const struct handle *handle);
/* Tables of their own: what it was made of, its type map. */
int page_datatype(FILE *stream, const struct handle *handle, bool color);

#endif
