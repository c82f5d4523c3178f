/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the sentence of a cause leaves open.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_OPENINGS_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_CAUSE_OPENINGS_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

/* Appends "; rank 2 could not be read (its process has ...)". */
void cause_write_openings(FILE *stream, const struct cause_text *text, const struct cause *cause);

#endif
