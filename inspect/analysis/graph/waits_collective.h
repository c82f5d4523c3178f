/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a collective call waits for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_COLLECTIVE_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_COLLECTIVE_H

#include "analysis/graph/waits.h"

/* Connects with what a member of a communicator, window or file waits for in a collective call on it. False: not known.
 */
bool waits_for_collective(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial);

#endif
