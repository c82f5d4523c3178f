/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nodes of the same collective call.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_ROUND_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_ROUND_H

#include "analysis/graph/known_rounds.h"
#include "analysis/graph/waits.h"

/* The new node stands for waits in that call. */
void waits_add_to_round(struct waits *waits, uint32_t node, struct known_round *known);
/* Whether the member with this rank in the communicator has begun its n-th collective call. */
bool waits_has_rank_begun(const struct waits *waits, const struct communicator *communicator, int32_t local,
                          uint64_t serial);

#endif
