/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: threads.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_THREADS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_THREADS_H

#include "collect/collection.h"

/* The threads of the process. Returns mqs_ok, or a code of the DLL; what was read until then stands in the model. */
int collect_threads(const struct collection *collection, struct process *process);

#endif
