/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that a receive from any source has taken from the receive that waits for it.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_STOLEN_MESSAGE_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_STOLEN_MESSAGE_H

#include "analysis/faults/fault.h"

extern const struct fault fault_stolen_message;

#endif
