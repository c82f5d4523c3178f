/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs beside the job: spawned ones that can never join it, and other worlds that it is connected with.
 */
#ifndef MPILENS_INSPECT_JOB_SPAWNED_H
#define MPILENS_INSPECT_JOB_SPAWNED_H

#include "model/model.h"

/* Fills thread.spawned of the threads in MPI_Comm_spawn: with processes of another world of the job's launcher that
 * have no MPI in them, have started no other program, and sleep; nothing where any process that was spawned is
 * different. `before`: an earlier sample in which they must have been the same, NULL: there is none. */
void job_find_spawned(struct job *job, const struct job *before);

/* Fills job.other_world_pid where a process has an intercommunicator. Looks through all processes of the host: once, of
 * the last sample. */
void job_find_other_world(struct job *job);

#endif
