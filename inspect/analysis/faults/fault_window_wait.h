/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks that another rank holds, and epochs or fences that others have not begun or ended.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_WINDOW_WAIT_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_WINDOW_WAIT_H

#include "analysis/faults/fault.h"

extern const struct fault fault_window_wait;

#endif
