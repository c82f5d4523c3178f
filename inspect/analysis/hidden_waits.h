/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Waits for what cannot be seen: for a message that is under way, inside a call that all have come to, or in a call of
 * which it is not known whom it needs.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_HIDDEN_WAITS_H
#define MPILENS_INSPECT_ANALYSIS_HIDDEN_WAITS_H

#include "analysis/causes/cause_text.h"

/* One sentence about the longest of them, and who else waits in the same call at the same place. NULL: there is none
 * that is long enough to be told. The caller frees it. */
char *hidden_waits_describe(const struct cause_text *text);

#endif
