/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What was sent and received before a cause.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_HISTORY_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_HISTORY_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

/* Appends "; rank 2 has received 3 messages of rank 0 and sent it 2, ..." where one of several ranks has not answered.
 */
void cause_write_odd(FILE *stream, const struct cause_text *text, const struct cause *cause);
/* Ranks that have done less than others in the same call. */
void cause_add_odd(const struct cause_text *text, const struct cause *cause, struct finding *finding);
/* Where messages like those that are waited for at these nodes were sent before, each place once. */
void cause_add_earlier(const struct cause_text *text, const uint32_t *nodes, size_t node_count,
                       struct finding *finding);

/* Both, of all that wait in the cause, behind what cause_evidence.h adds: what was noted, and idle requests. */
void cause_add_all(const struct cause_text *text, const struct cause *cause, struct finding *finding);

#endif
