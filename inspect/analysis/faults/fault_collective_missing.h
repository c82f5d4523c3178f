/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members that have not reached a collective call.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_COLLECTIVE_MISSING_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_COLLECTIVE_MISSING_H

#include "analysis/faults/fault.h"

extern const struct fault fault_collective_missing;

#endif
