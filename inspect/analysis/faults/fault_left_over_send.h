/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A send that nobody receives, while its sender waits in MPI_Finalize.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_LEFT_OVER_SEND_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_LEFT_OVER_SEND_H

#include "analysis/faults/fault.h"

extern const struct fault fault_left_over_send;

#endif
