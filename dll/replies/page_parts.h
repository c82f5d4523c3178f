/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lines that several pages have.
 */
#ifndef MPILENS_DLL_REPLIES_PAGE_PARTS_H
#define MPILENS_DLL_REPLIES_PAGE_PARTS_H

#include "facts/page_lines.h"
#include "process/process_info.h"

/* Of the communicator with this unique_id; nothing where that is not known. */
void page_communicator_name(struct page_lines *page, const struct reading *reading, const char *label,
                            uint64_t unique_id);
/* "yes", "no" */
void page_truth(struct page_lines *page, const char *label, bool truth);
/* "0x8000" */
void page_hexadecimal(struct page_lines *page, const char *label, uint64_t number);

#endif
