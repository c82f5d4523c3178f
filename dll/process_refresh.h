/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of a process for interfaces that do not say when it has moved.
 */
#ifndef MPILENS_DLL_PROCESS_REFRESH_H
#define MPILENS_DLL_PROCESS_REFRESH_H

#include "process_info.h"

/* Takes a new snapshot if there is none or the process has called MPI since; else there are at most three reads of its
 * memory, and what the current object and the iterators were stays. mqs_ok or a code. */
int process_info_refresh(mqs_process_info *);

#endif
