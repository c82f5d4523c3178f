/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of windows and files. The object is the current one, in a whole copy.
 */
#ifndef MPILENS_DLL_REPLIES_PAGE_MEMORY_H
#define MPILENS_DLL_REPLIES_PAGE_MEMORY_H

#include "facts/page_lines.h"
#include "process/process_info.h"

void page_window(struct page_lines *page, mqs_process_info *info);
void page_file(struct page_lines *page, mqs_process_info *info);

#endif
