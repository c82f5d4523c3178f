/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fault of a member of a communicator that has made a collective call more or less than the others, before the one
 * in which they hang.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_OUT_OF_STEP_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_FAULT_OUT_OF_STEP_H

#include "analysis/faults/fault.h"

extern const struct fault fault_out_of_step;

/* The same of a job that goes on, in wrong pairs: adds a finding of the first communicator where that is so. */
void out_of_step_add(const struct cause_text *text, struct findings *findings);

#endif
