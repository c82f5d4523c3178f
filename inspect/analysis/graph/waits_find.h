/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The wait-for graph of a whole job.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_FIND_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_FIND_H

#include "analysis/graph/waits.h"

/* Builds the graph and solves it. `job` has been completed (complete_job). */
void waits_find(const struct job *job, const struct analysis_options *options, struct waits *ret_waits);

#endif
