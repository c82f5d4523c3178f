/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Jobs made by hand of which some ranks can never go on.
 */
#ifndef TESTS_WAIT_JOBS_H
#define TESTS_WAIT_JOBS_H

#include "analysis/analysis.h"
#include "render/graph/render_graph.h"

/* A job of `ranks` processes, each with a thread that is not in MPI; in two samples. To be cleared with job_clear. */
struct job begin_wait_job(int ranks);
/* The rank waits in MPI_Recv for a message of the peer (-1: any). */
void wait_in_recv(struct job *job, int rank, int peer, int tag);
/* The rank waits in the first collective call on MPI_COMM_WORLD. */
void wait_in_barrier(struct job *job, int rank);
/* Puts the job in order, as one that was read. */
void end_wait_job(struct job *job);

/* Each rank receives from the next one. */
struct job ring_of_receives(int ranks);
/* The same, each with a tag of its own. */
struct job ring_of_tags(int ranks);
/* All but the last rank are in MPI_Barrier; it waits for a message of rank 0, which is in the barrier. Even ranks
 * have sent a message with a tag of their own to the next rank but the last, which nobody receives. The communicator is
 * called as `name` says. */
struct job barrier_against_receive(int ranks, const char *name);

/* By the default options. To be cleared with analysis_clear. */
struct analysis judge_wait_job(const struct job *job);
/* To be cleared with picture_clear. */
struct picture draw_wait_job(const struct job *job);

#endif
