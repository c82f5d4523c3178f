/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What of the findings is about some ranks.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDINGS_OF_RANKS_H
#define MPILENS_INSPECT_ANALYSIS_FINDINGS_OF_RANKS_H

#include "analysis/findings/finding.h"
#include "base/rank_set.h"

/* Keeps the findings that a rank of the set is concerned by or to blame for, and of their evidence what holds of such
 * ranks. Returns how many findings were left out. */
size_t findings_keep_ranks(struct findings *findings, const struct rank_set *ranks);

#endif
