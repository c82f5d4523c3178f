/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A member of a communicator that has once given another root than all others, perhaps long ago.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_OTHER_ROOTS_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_OTHER_ROOTS_H

#include "analysis/faults/fault.h"

extern const struct fault fault_other_roots;

/* The same where nothing hangs: at most one finding. */
void other_roots_add(const struct cause_text *text, struct findings *findings);

#endif
