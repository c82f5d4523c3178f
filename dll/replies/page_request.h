/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of requests, statuses and messages.
 */
#ifndef MPILENS_DLL_REPLIES_PAGE_REQUEST_H
#define MPILENS_DLL_REPLIES_PAGE_REQUEST_H

#include "facts/page_lines.h"
#include "snapshot/reading.h"

void page_request(struct page_lines *page, const struct reading *reading,
                  const struct mpilens_request_information *request);
void page_status(struct page_lines *page, const struct mpilens_status_information *status);
void page_message(struct page_lines *page, const struct reading *reading, const struct mpilens_message *message);

#endif
