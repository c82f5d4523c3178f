/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the cause that a group of the dead is.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FAULTS_CAUSE_FIND_H
#define MPILENS_INSPECT_ANALYSIS_FAULTS_CAUSE_FIND_H

#include "analysis/causes/cause.h"

/* The cause that this component, a sink, is. `is_told`, by node: crowds of earlier causes. The caller clears it. */
void cause_find(const struct waits *waits, const struct wait_waiters *waiters, const bool *is_told, uint32_t component,
                struct cause *ret_cause);

#endif
