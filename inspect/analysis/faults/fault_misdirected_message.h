/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fault: the message that a receive waits for was sent to another rank.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_MISDIRECTED_MESSAGE_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_MISDIRECTED_MESSAGE_H

#include "analysis/faults/fault.h"

extern const struct fault fault_misdirected_message;

#endif
