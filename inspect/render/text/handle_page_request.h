/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What only requests, statuses and messages have, as lines of the page.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_REQUEST_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_REQUEST_H

#include "render/text/handle_page_lines.h"

void page_request(struct page *page, const struct handle *handle);
void page_status(struct page *page, const struct handle *handle);
void page_message(struct page *page, const struct handle *handle);

#endif
