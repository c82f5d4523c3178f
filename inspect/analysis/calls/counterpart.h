/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators that different ranks have in the same place of the program: as of the rows of a grid, each has its own.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_COUNTERPART_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_COUNTERPART_H

#include "model/model.h"

/* The communicator of the process that is this one, or the one that it has in the place of this one: made as its n-th,
 * too, in the same way, and as large, without a common member. NULL: it has none. */
const struct communicator *communicator_counterpart(const struct process *process, const struct communicator *like);

#endif
