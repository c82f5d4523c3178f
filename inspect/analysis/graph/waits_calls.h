/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a call waits for that all members of a communicator, window or file make, or all processes.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_CALLS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_CALLS_H

#include "analysis/graph/waits.h"

/* Gives the node of a thread its mode and edges. False: what the thread waits for is not known, or will come. */
bool waits_in_call(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);

#endif
