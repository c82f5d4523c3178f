/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Places and activities of threads outside MPI: whether they compute, sleep or are stopped, where, and which of their
 * threads wait for each other.
 */
#ifndef MPILENS_INSPECT_STACK_PLACES_H
#define MPILENS_INSPECT_STACK_PLACES_H

#include "model/model.h"

/* Notes the CPU time that the live processes have used so far. */
void job_note_activity(struct job *job);

/* Whether each live process has had the chance to go on since its CPU time was noted. */
bool job_has_run(const struct job *before);

/* Fills activity, place, stack, thread_places, unseen_threads and thread.waits_for_threads of the processes with a
 * thread that is not in MPI, and seen_threads of those that lack tables; with `all_stacks` also call_stacks of all
 * processes, those that could not be read included. Living ones are held still for a moment. `before`: an earlier
 * sample with noted activity, NULL: there is none. */
void job_find_places(struct job *job, const struct job *before, bool all_stacks);

#endif
