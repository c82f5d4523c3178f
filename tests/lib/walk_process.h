/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks the DLL for what it knows of the process itself, which needs no copy.
 */
#ifndef MPILENS_WALK_PROCESS_H
#define MPILENS_WALK_PROCESS_H

#include "mpilens/extension.h"

/* Returns how many answers were wrong, as walk_result.wrong. */
uint64_t walk_process(mqs_process *process);

#endif
