/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The unexpected messages of a process: those that its runtime has taken out of MPI, and those that follow from what
 * the processes of the job, as far as the debugger has set them up, have sent and received (matching/).
 */
#ifndef MPILENS_DLL_JOB_JOB_H
#define MPILENS_DLL_JOB_JOB_H

#include "process/process.h"

/* Computes `unexpected` of the process, and of all processes that are read for it, unless it was computed in this
 * round (process/shared_copy.c). The process has a copy. O(n log n) in all messages. mqs_ok or
 * MPILENS_ERROR_NO_MEMORY. */
int unexpected_messages_find(mqs_process_info *info);

#endif
