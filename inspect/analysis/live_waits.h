/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits that may end: for ranks that are not in MPI, and for messages that should not fit.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_LIVE_WAITS_H
#define MPILENS_INSPECT_ANALYSIS_LIVE_WAITS_H

#include "analysis/causes/cause_text.h"

/* Adds a finding for ranks that others have waited for longer than the patience of the options while they were not in
 * MPI, or that are stopped; one for all that the same ranks wait for, or that are awaited in the same way. *ret_remark:
 * one sentence about who waits for whom, for when nothing is wrong; NULL: nobody waits. */
void live_waits_find(const struct cause_text *text, const struct wait_waiters *waiters, struct findings *findings,
                     char **ret_remark);

#endif
