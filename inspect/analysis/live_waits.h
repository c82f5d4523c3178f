/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits that may end: for ranks that are not in MPI, and for messages that should not fit.
 */
#ifndef INSPECT_ANALYSIS_LIVE_WAITS_H
#define INSPECT_ANALYSIS_LIVE_WAITS_H

#include "cause_text.h"

/* Adds a finding for each rank that others have waited for longer than the patience of the options while it was not in
 * MPI, or that is stopped. *ret_remark: one sentence about who waits for whom, for when nothing is wrong; NULL: nobody
 * waits. */
void live_waits_find(const struct cause_text *text, const struct wait_waiters *waiters, struct findings *findings,
                     char **ret_remark);

#endif
