/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of a process that are taken because another process is asked about. They stand aside, so that what the
 * debugger is told of this one stays the same, until the debugger asks for a copy: then it gets this one, unless the
 * process has moved since.
 *
 * A round is a walk of the debugger over its processes, which asks for a copy of each once. When it asks for a second
 * copy of one, a new round begins. In a round, each process is read for the others once at most: so a walk over all
 * reads each process once.
 */
#ifndef MPILENS_DLL_PROCESS_SHARED_COPY_H
#define MPILENS_DLL_PROCESS_SHARED_COPY_H

#include "process/process_info.h"

/* The number of the round. */
uint64_t shared_copy_round(void);

/* For the debugger that asks for a new copy. Iterators and the current object end. mqs_ok or a code. */
int shared_copy_claim(mqs_process_info *info);

/* What the process says of itself: as last read, or read if it never was. mqs_ok or a code. */
int shared_copy_identify(mqs_process_info *info, const struct mpilens_process **ret_process);

/* A copy as of this round: the debugger's own or the one aside. mqs_ok or a code. */
int shared_copy_take(mqs_process_info *info, mqs_process_info **ret_copy);

/* Whether others see the process as the debugger does: in its own copy. */
bool shared_copy_is_own(const mqs_process_info *info);

#endif
