/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What can be said for certain of ranks without the runtime: that they are at different places. Whether that is wrong
 * their stacks do not tell.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_RANKS_APART_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_RANKS_APART_H

#include "analysis/findings/finding.h"
#include "model/model.h"

/* Adds a finding where ranks lack tables, one is in MPI, another one elsewhere or one is stopped, and all were seen so
 * each time; of a job in MPI_Init, start-up, where it was watched for the patience or one of its ranks will never come.
 * Else *ret_remark may be what they do, a sentence that the caller frees. Without such ranks, nothing. */
void ranks_apart_find(const struct job *job, double patience_s, struct findings *findings, char **ret_remark);

#endif
