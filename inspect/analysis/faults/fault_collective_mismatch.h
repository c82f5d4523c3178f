/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that disagree about a collective call: about its function, root, operation or sizes.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_COLLECTIVE_MISMATCH_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_COLLECTIVE_MISMATCH_H

#include "analysis/faults/fault.h"

extern const struct fault fault_collective_mismatch;
/* The same about a call that is over, on any communicator of ranks that hang now, where nothing better explains that.
 */
extern const struct fault fault_earlier_mismatch;

#endif
