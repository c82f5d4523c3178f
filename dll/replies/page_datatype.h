/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page of a datatype: its constructors, one below the other, and its type map.
 */
#ifndef MPILENS_DLL_REPLIES_PAGE_DATATYPE_H
#define MPILENS_DLL_REPLIES_PAGE_DATATYPE_H

#include "facts/page_lines.h"
#include "snapshot/reading.h"

void page_datatype(struct page_lines *page, const struct reading *reading, const struct mpilens_datatype *datatype);

#endif
