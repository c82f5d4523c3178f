/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of communicators and groups. The object is the current one, in a whole copy.
 */
#ifndef MPILENS_DLL_REPLIES_PAGE_COMMUNICATOR_H
#define MPILENS_DLL_REPLIES_PAGE_COMMUNICATOR_H

#include "facts/page_lines.h"
#include "process/process_info.h"

void page_communicator(struct page_lines *page, mqs_process_info *info);
void page_group(struct page_lines *page, mqs_process_info *info);

#endif
