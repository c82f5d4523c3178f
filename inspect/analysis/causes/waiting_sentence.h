/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes sentences about ranks that wait for others.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_WAITING_SENTENCE_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_WAITING_SENTENCE_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

/* "ranks [0-2] wait in MPI_Barrier(...) at a.c:7 for rank 3, which is in MPI_Recv(...) at a.c:9". */
void write_waiting_sentence(FILE *stream, const struct cause_text *text, const struct cause *cause);

#endif
