/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of a process for interfaces that do not say when it has moved, and whose debuggers ask while it is stopped.
 */
#ifndef MPILENS_DLL_PROCESS_PROCESS_REFRESH_H
#define MPILENS_DLL_PROCESS_PROCESS_REFRESH_H

#include "process/process_info.h"

/* Takes a new snapshot if there is none or the process has called MPI since; else what the current object and the
 * iterators were stays. At most three reads of its memory where there was a snapshot: its tables are in the same places
 * and are fetched in one read, if they are near each other and have not grown out of their places. mqs_ok or a code.
 *
 * From here to process_info_end_reading_ahead, what was fetched answers instead of the process. */
int process_info_refresh(mqs_process_info *info);

#endif
