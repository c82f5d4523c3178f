/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait for each other: the last resort, after all more specific faults.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_DEADLOCK_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_DEADLOCK_H

#include "analysis/faults/fault.h"

extern const struct fault fault_deadlock;

#endif
