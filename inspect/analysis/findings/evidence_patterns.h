/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that make the same call with different peers, told together where the peers follow a rule.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_FINDINGS_EVIDENCE_PATTERNS_H
#define MPILENS_INSPECT_ANALYSIS_FINDINGS_EVIDENCE_PATTERNS_H

#include "analysis/findings/evidence.h"

/* Fills the peers in that were left open: ranks whose peers follow one rule are told together, "-> rank+1 mod 64".
 * Where `in_short`, ranks that follow none are told together, too. */
void evidence_close(struct evidence_list *list, bool in_short);

#endif
