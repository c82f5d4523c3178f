/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A rank that waits for itself: the last resort where no other rank is part of it.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_OWN_WAIT_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_OWN_WAIT_H

#include "analysis/faults/fault.h"

extern const struct fault fault_own_wait;

#endif
