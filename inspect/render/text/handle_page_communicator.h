/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What only communicators and groups have, as lines of the page.
 */
#ifndef MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_COMMUNICATOR_H
#define MPILENS_INSPECT_RENDER_TEXT_HANDLE_PAGE_COMMUNICATOR_H

#include "render/text/handle_page_lines.h"

void page_communicator(struct page *page, const struct handle *handle);
void page_group(struct page *page, const struct handle *handle);

#endif
