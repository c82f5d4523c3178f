/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fault of two leaders that do not find each other: they make an intercommunicator with different tags, in
 * different communicators, or look for others.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_LEADERS_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_LEADERS_H

#include "analysis/faults/fault.h"

extern const struct fault fault_leaders;

#endif
