/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receive that nobody waits for, and that would have taken a message whose sender waits, but for its tag.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_NEAR_RECEIVE_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_NEAR_RECEIVE_H

#include "analysis/faults/fault.h"

extern const struct fault fault_near_receive;

#endif
