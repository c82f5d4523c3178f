/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fault of a member of a collective call that gives another one more or less than that expects.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_UNEQUAL_AMOUNTS_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_UNEQUAL_AMOUNTS_H

#include "analysis/faults/fault.h"

extern const struct fault fault_unequal_amounts;

#endif
