/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that disagree about a collective call: about its function, root, operation or sizes.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULT_COLLECTIVE_MISMATCH_H
#define MPILENS_INSPECT_ANALYSIS_FAULT_COLLECTIVE_MISMATCH_H

#include "analysis/fault.h"

extern const struct fault fault_collective_mismatch;

#endif
