/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs that do not get through MPI_Init: who has not come to it, who does not come out of it.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_START_UP_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_START_UP_H

#include "analysis/causes/cause_text.h"

#include <stdio.h>

/* The thread of the process that is in MPI_Init or the like; NULL: none is. */
const struct thread *find_initializing(const struct process *process);

/* "ranks [0,2] have been in MPI_Init for 74 s at a.c:9; rank 1 has not come to it: ...". */
void start_up_write(FILE *stream, const struct cause_text *text, const struct ranks *inside,
                    const struct ranks *missing);
/* Where ranks have stood still in MPI_Init for longer than the patience, and all others were seen: a finding instead of
 * *remark; for less, another sentence there. Those that wait for a rank that has exited are told elsewhere
 * (fault_start_up.h). */
void start_up_find(const struct cause_text *text, struct findings *findings, char **remark);

#endif
