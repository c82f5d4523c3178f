/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that have exited before MPI_Init, in which others wait for them.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_START_UP_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_START_UP_H

#include "analysis/faults/fault.h"

extern const struct fault fault_start_up;

#endif
