/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What neighborhood collectives wait for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_NEIGHBOURS_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_NEIGHBOURS_H

#include "analysis/graph/waits.h"

/* The node for what a member waits for in a neighborhood collective. NO_NODE: whom it exchanges with is not known, or
 * members do not agree about the call. */
uint32_t waits_add_exchange(struct waits *waits, const struct job_member *self, uint64_t serial);
/* World rank of a source of the member in neighborhood collectives that does not have it among its destinations; -1:
 * there is none, or it is not known. */
int32_t waits_find_silent_source(const struct waits *waits, const struct job_member *member);

#endif
