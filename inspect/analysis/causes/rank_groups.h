/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that do the same, for sentences: in the same call at the same place, with peers that follow one rule.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_RANK_GROUPS_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_RANK_GROUPS_H

#include "analysis/causes/cause_text.h"
#include "analysis/findings/evidence.h"

/* Groups of `ranks` of the job, the largest first: the text is what follows the verb, the site is the verb, "is" or
 * "has". The caller clears it. */
struct evidence_list rank_groups_find(const struct cause_text *text, const struct ranks *ranks);

/* ": ranks [0,1,3] are in MPI_Barrier(...) at a.c:7; rank 2 is in MPI_Recv(...) at a.c:9". */
void rank_groups_write(FILE *stream, const struct evidence_list *groups);
/* "ranks [0,1,3] wait in MPI_Barrier(...) at a.c:7, rank 2 in MPI_Recv(...) at a.c:9,". */
void rank_groups_write_waiting(FILE *stream, const struct evidence_list *groups);

#endif
