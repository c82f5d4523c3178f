/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spawned programs that can never join the job.
 */
#ifndef MPILENS_INSPECT_JOB_SPAWNED_H
#define MPILENS_INSPECT_JOB_SPAWNED_H

#include "model/model.h"

/* Fills thread.spawned of the threads in MPI_Comm_spawn: with processes of another world of the job's launcher that
 * have no MPI in them, have started no other program, and sleep; nothing where any process that was spawned is
 * different. Looks for processes only where a thread is in such a call. `before`: an earlier sample in which they must
 * have been the same, NULL: there is none. */
void job_find_spawned(struct job *job, const struct job *before);

#endif
