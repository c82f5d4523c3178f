/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads the calls that MPI has failed.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_FAILED_CALLS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_FAILED_CALLS_H

#include "collect/collection.h"

/* Fills in the process. mqs_ok or a code of the DLL. */
int collect_failed_calls(const struct collection *collection, struct process *process);

#endif
