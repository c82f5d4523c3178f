/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A spawned program that never calls MPI_Init.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_UNSTARTED_SPAWN_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_UNSTARTED_SPAWN_H

#include "analysis/faults/fault.h"

extern const struct fault fault_unstarted_spawn;

#endif
