/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings about messages themselves: longer than the receive they meet, or piling up.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_TRAFFIC_H
#define MPILENS_INSPECT_ANALYSIS_TRAFFIC_H

#include "analysis/causes/cause_text.h"

/* Adds size mismatches between pending receives and the sends that they match while both stand still, and ranks at
 * which unreceived messages have grown beyond the limit of the options while none of them was received. */
void traffic_find(const struct cause_text *text, struct findings *findings);

#endif
