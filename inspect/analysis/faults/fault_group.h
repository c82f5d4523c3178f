/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a group that call MPI_Comm_create_group with different groups or tags.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_GROUP_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_GROUP_H

#include "analysis/faults/fault.h"

extern const struct fault fault_group;

#endif
