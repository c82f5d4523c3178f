/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks that wait for the MPI library alone, jobs that do not get through MPI_Init, ranks without the runtime.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_STALLS_STALLS_H
#define MPILENS_INSPECT_ANALYSIS_STALLS_STALLS_H

#include "analysis/causes/causes.h"
#include "analysis/findings/findings.h"
#include "model/model.h"

#include <stdio.h>

/* -- library_stall.c --
 * Ranks that stand still although they have done their part: the MPI library, the network, or what keeps a process from
 * running is to blame.
 */

/* For when nothing else was found. Adds a finding for each call in which nothing has moved for longer than the patience
 * of the options, where every rank was read and watched. *ret_remark, where there is no such finding: one sentence
 * about the longest such wait, with the time that is left, or with what moves. NULL: there is none
 * that is long enough to be told. */
void library_stall_find(const struct cause_text *text, struct findings *findings, const char **ret_remark);

/* -- ranks_apart.c -- Ranks without the runtime that are at different places. mpilens cannot tell from their stacks
 * whether that is wrong.
 */

/* Adds a finding where ranks lack tables, one is in MPI, another one elsewhere or one is stopped, and all were seen so
 * each time; of a job in MPI_Init, start-up, where it was watched for the patience or one of its ranks will never come.
 * Else *ret_remark may be what they do, a sentence. Without such ranks, nothing. */
void ranks_apart_find(const struct job *job, double patience_s, struct findings *findings, const char **ret_remark);

/* -- start_up.c -- Jobs that do not get through MPI_Init: the ranks that have not come to it, and the ranks that do not
 * come out of it.
 */

/* The thread of the process that is in MPI_Init or the like; NULL: none is. */
const struct thread *find_initializing(const struct process *process);

/* "ranks [0,2] have been in MPI_Init for 74 s at a.c:9; rank 1 has not come to it: ...". */
void start_up_write(FILE *stream, const struct cause_text *text, const struct ranks *inside,
                    const struct ranks *missing);
/* Where ranks have stood still in MPI_Init for longer than the patience, and all others were seen: a finding instead of
 * *remark; for less, another sentence there. Those that wait for a rank that has exited are told elsewhere
 * (fault_start_up.c). */
void start_up_find(const struct cause_text *text, struct findings *findings, const char **remark);

#endif
