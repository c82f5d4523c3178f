/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What only windows and files have, as lines of the page.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_MEMORY_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_MEMORY_H

#include "render/text/handle_page_lines.h"

void page_window(struct page *page, const struct handle *handle);
void page_file(struct page *page, const struct handle *handle);

#endif
