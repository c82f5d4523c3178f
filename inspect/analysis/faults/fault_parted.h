/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that are in a collective call while others are still in an exchange of messages with them.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_PARTED_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_PARTED_H

#include "analysis/faults/fault.h"

extern const struct fault fault_parted;

#endif
