/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of single tables, for debuggers that ask what one handle names and have not asked for a copy of everything.
 *
 * Such a copy is taken anew for every handle. It has the tables that were needed so far; where nearly all are needed, a
 * whole copy takes its place, and the current object stays what it is.
 */
#ifndef MPILENS_DLL_PROCESS_PROCESS_LOOKUP_H
#define MPILENS_DLL_PROCESS_PROCESS_LOOKUP_H

#include "process/process_info.h"

#define TABLE_BIT(kind) (UINT32_C(1) << (kind))
static_assert(MPILENS_TABLE_COUNT <= 32, "a bit for every table");

/* For finding an object: the copy that the debugger has asked for, or else a new and empty one. `info` NULL: see
 * process_info_check. mqs_ok or a code. */
int process_info_begin_lookup(mqs_process_info *info);

/* For finding a request: the same with a whole copy. */
int process_info_begin_request_lookup(mqs_process_info *info);

/* Sees to it that the copy has these tables (TABLE_BIT), as far as they are readable. mqs_ok or a code. */
int process_info_need(mqs_process_info *info, uint32_t tables);

/* Only the root, as it was last read or, unless it has said what an MPI_Status is, anew. mqs_ok or a code. */
int process_info_need_root(mqs_process_info *info);

#endif
