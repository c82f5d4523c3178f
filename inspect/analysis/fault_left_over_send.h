/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends that nobody receives, and that those who wait in MPI_Finalize have not ended before.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULT_LEFT_OVER_SEND_H
#define MPILENS_INSPECT_ANALYSIS_FAULT_LEFT_OVER_SEND_H

#include "analysis/fault.h"

extern const struct fault fault_left_over_send;

#endif
