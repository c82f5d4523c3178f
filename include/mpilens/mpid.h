/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A DRAFT: the handle debugging interface on which the tools working group of the MPI Forum works (mpi-forum/mpi-issues
 * #847). No release of it exists; it will change, and this header with it. A debugger finds the library by the symbol
 * MPI_D_dll_locations (char **, as argv) of the MPI process, and its functions by dlsym.
 *
 * Pages of the working group's wiki (github.com/mpiwg-tools/tools-issues, "Handle Debugging") that this follows:
 *
 *   Debugger-provided Callbacks   revision 3, 28 May 2020
 *   Bootstrapping                 revision 6, 14 April 2023
 *   Communicator queries          revision 12, 8 April 2025
 *   Type queries                  revision 10, 8 April 2025 (langHandle: of 2021)
 *   Session queries               revision 9, 8 April 2025
 *   Window queries                revision 2, 28 October 2021
 *
 * There are no public pages of groups, requests, files, ops, infos, error handlers, messages, keys of attributes and
 * statuses: their functions follow the style of the others and the list in the text of 2007 (Open MPI,
 * MPI_Handles_interface.txt).
 *
 * Where the pages contradict each other or themselves:
 *   - the prefix is mpid_, as of 2025, also where a page has mpidbg_ or ompd_; the symbol has the name from issue #847.
 *   - mpid_address_t is a 64-bit integer; langHandle a union of two of them.
 *   - out arguments that are handles are pointers to pointers everywhere.
 *   - int64 is int64_t, mpid_type_kind_t is mpid_type_bitmap_t.
 *   - MPI_D_dll_locations is NULL until it is complete.
 *
 * For all queries:
 *   - Out arguments may be NULL: not wanted. They are untouched where the result is not mpid_rc_ok.
 *   - Texts and arrays come from memory_alloc and are the caller's, to be freed one by one; empty arrays are NULL.
 *   - A handle stands for one object at one moment. mpid_*_query looks at the process anew if it has moved; after that,
 *     handles of before answer about the same object as it is now, or with mpid_rc_stale_handle.
 *   - The process should be stopped meanwhile, as for mpidbg.h.
 *   - A null handle (MPI_COMM_NULL) is found: its basic query gives its name and the flag. The other queries have
 *     mpid_rc_unavailable for it.
 */
#ifndef MPILENS_MPID_H
#define MPILENS_MPID_H

#include "mpilens/mpid_communicators.h"
#include "mpilens/mpid_datatypes.h"
#include "mpilens/mpid_objects.h"
#include "mpilens/mpid_types.h"

#endif
