/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks without the runtime that are in MPI_Init, and what they wait for there.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_SEEN_START_UP_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_SEEN_START_UP_H

#include "analysis/findings/finding.h"
#include "model/model.h"

/* Whether ranks without the runtime are in MPI_Init or the like, and none is in any other function of MPI. */
bool seen_start_up_is(const struct job *job);

/* "; rank 1 has a socket in SYN_SENT with 172.17.0.2:1024": the ranks of which that is said are added to `ranks`, and
 * *ret_remedy is what to do about it. The caller frees the text. NULL: nothing of that kind is known of any. */
char *seen_start_up_describe_cause(const struct job *job, struct ranks *ranks, const char **ret_remedy);

/* Of a process in MPI_Init, the functions of the library that it is in there, and its server of PMI; else nothing. */
void seen_start_up_add_evidence(const struct process *process, struct finding *finding);

#endif
