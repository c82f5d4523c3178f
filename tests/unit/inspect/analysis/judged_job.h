/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Hand-made jobs with their verdict.
 */
#ifndef TESTS_JUDGED_JOB_H
#define TESTS_JUDGED_JOB_H

#include "analysis/analysis.h"

/* build_job() with the members of MPI_COMM_WORLD known. */
struct job new_judged_job(int size);
void end_judged_job(struct job *job, struct analysis *analysis);

/* A thread that is in a call, stalled, or outside of MPI (""). */
struct thread *add_judged_thread(struct job *job, int rank, const char *function, uint32_t call_class);
/* A thread that waits for one operation, or for two (second != 0). */
void wait_for(struct job *job, int rank, const char *function, uint32_t call_class, uint64_t first, uint64_t second);
/* A thread in MPI_Recv on MPI_COMM_WORLD. */
void receive_from(struct job *job, int rank, int source, int tag);

/* The verdict after two samples with the default options. */
struct analysis judge_job(struct job *job);
/* There is one finding, and it is this one. */
void expect_one_finding(const struct analysis *analysis, enum finding_kind kind, size_t count, const int *culprits);
/* The first finding has this evidence of the rank. */
void expect_evidence(const struct analysis *analysis, int rank, const char *text);

#endif
