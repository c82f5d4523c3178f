/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places and activities of threads outside MPI: whether they compute, sleep or are stopped, where, and which of their
 * threads wait for each other.
 */
#ifndef MPILENS_INSPECT_STACK_PLACES_H
#define MPILENS_INSPECT_STACK_PLACES_H

#include "model/model.h"
#include "stack/process_activity.h"

/* Notes the CPU time that the live processes have used so far. */
void job_note_activity(struct job *job);

/* CPU times of the live processes at one moment, in the order of job->processes; at_s is negative for the others. The
 * caller frees them. */
struct process_reading *job_begin_turn(const struct job *job);

/* Whether each live process has had the chance to go on since `begin`. */
bool job_has_had_turn(const struct job *job, const struct process_reading *begin);

/* Makes at_s of the processes negative that have had it. */
void job_end_turn(const struct job *job, struct process_reading *begin);

/* Fills activity, place, stack, thread_places, unseen_threads and thread.waits_for_threads of the processes with a
 * thread that is not in MPI, and seen_threads of those that lack tables; with `all_stacks` also call_stacks of all
 * processes, those that could not be read included. Living ones are held still for a moment. `before`: an earlier
 * sample with noted activity, NULL: there is none. */
void job_find_places(struct job *job, const struct job *before, bool all_stacks);

#endif
