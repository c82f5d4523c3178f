/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A source of neighborhood collectives that does not have the waiting rank among its destinations.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_SILENT_SOURCE_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_SILENT_SOURCE_H

#include "analysis/faults/fault.h"

extern const struct fault fault_silent_source;

#endif
