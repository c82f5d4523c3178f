/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that have ended, or are in MPI_Finalize, while others wait for them.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_GONE_RANK_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_GONE_RANK_H

#include "analysis/faults/fault.h"

extern const struct fault fault_gone_rank;

#endif
