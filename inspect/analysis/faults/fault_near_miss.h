/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that fits a waiting receive in all but its tag, its communicator or its source.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_NEAR_MISS_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_NEAR_MISS_H

#include "analysis/faults/fault.h"

extern const struct fault fault_near_miss;

#endif
