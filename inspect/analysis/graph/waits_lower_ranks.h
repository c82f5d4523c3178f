/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What scans wait for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_LOWER_RANKS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_LOWER_RANKS_H

#include "analysis/graph/waits.h"

/* Connects with the members of lower rank that have not come to a scan. False: all have. */
bool waits_for_lower_ranks(struct waits *waits, uint32_t node, const struct job_member *self, uint64_t serial);

#endif
