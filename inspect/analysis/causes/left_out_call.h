/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A collective call that most members of a communicator have begun while the others wait elsewhere.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CAUSES_LEFT_OUT_CALL_H
#define MPILENS_INSPECT_ANALYSIS_CAUSES_LEFT_OUT_CALL_H

#include "analysis/causes/cause_text.h"

/* "call MPI_Gather (a.c:9) on rank 2 too, as 3 of 4 ranks have": of a cycle in which most members have come to a call.
 * *ret_is_likely: who has not come has done all that the others had done before it. NULL: there is no such call. */
char *advise_on_left_out_call(const struct cause_text *text, const struct cause *cause, bool *ret_is_likely);

#endif
