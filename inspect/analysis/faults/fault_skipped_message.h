/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message that its sender has not sent, though it has sent later ones.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_SKIPPED_MESSAGE_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_SKIPPED_MESSAGE_H

#include "analysis/faults/fault.h"

extern const struct fault fault_skipped_message;

#endif
