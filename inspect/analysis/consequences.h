/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dead ranks that are not a cause, and the causes that they wait for in the end.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CONSEQUENCES_H
#define MPILENS_INSPECT_ANALYSIS_CONSEQUENCES_H

#include "analysis/causes/cause_text.h"

#define NO_FINDING UINT32_MAX

/* Adds to each finding, as evidence, the calls of the ranks that wait because of it and are not concerned in it.
 * `finding_of`: by component, the finding of which it is the cause, or NO_FINDING. */
void consequences_add(const struct cause_text *text, const struct wait_waiters *waiters, const uint32_t *finding_of,
                      struct findings *findings);

/* Fills the waits of the analysis. */
void rank_waits_list(const struct waits *waits, const uint32_t *finding_of, struct analysis *analysis);

#endif
