/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the DLL to the model: communicators and their queues.
 */
#ifndef MPILENS_INSPECT_COLLECT_COLLECT_COMMUNICATORS_H
#define MPILENS_INSPECT_COLLECT_COLLECT_COMMUNICATORS_H

#include "collect/collection.h"

/* The communicators of the process. Returns mqs_ok, or a code of the DLL; what was read until then stands in the model.
 */
int collect_communicators(const struct collection *collection, struct process *process);

#endif
