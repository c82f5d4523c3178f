/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes that were started together and are no ranks of one MPI_COMM_WORLD.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_LAUNCH_MISMATCH_H
#define MPILENS_INSPECT_ANALYSIS_LAUNCH_MISMATCH_H

#include "analysis/findings/finding.h"
#include "model/model.h"

/* The one finding of a job with a launch problem: what its processes wait for follows from that alone. */
struct findings launch_mismatch_find(const struct job *job);

#endif
