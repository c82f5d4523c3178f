/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of job/ only.
 */
#ifndef MPILENS_INSPECT_JOB_JOB_INTERNAL_H
#define MPILENS_INSPECT_JOB_JOB_INTERNAL_H

#include "base/base.h"
#include "job/job.h"
#include "model/model.h"

#include <stdbool.h>
#include <stddef.h>

/* -- progress.c --
 * Which threads have stayed in their call as long as a job was watched, struct thread.stalled, and where messages have
 * piled up, struct communicator.unreceived_growth.
 */

/* For one reading. In core files, a thread has stalled if it entered its call before the first of them was written: at
 * that moment all of them were where they are. One that polls may do something else between two polls: it must have
 * polled and found nothing for `interval_s` by then. Of live processes nothing is known but that they are there: all
 * threads in a call are taken to have stalled, and job.samples, 1, says on what ground. */
void progress_of_one(struct job *job, double interval_s);

/* For several readings: `before` is the first of the `samples`, `later` the last, read `interval_s` seconds one after
 * the other. A thread has stalled that is in the same call, entered at the same moment, or polls with the same calls,
 * and has completed and started nothing in between. */
void progress_between(const struct job *before, struct job *later, int samples, double interval_s);

/* No thread of the process, as it was in an earlier sample, has stalled in `later`: it had no processor in between. */
void progress_unknown(const struct process *before, double lacked_s, struct job *later);

/* As progress_between, for two jobs made from the parts of all hosts, each host's second part after all first ones: so
 * both samples have a moment between them, common to all. Does not set struct job.samples, which the parts have. */
void progress_between_rounds(const struct job *before, struct job *later);

/* -- read_named.c --
 * The processes and core files that the user named: one pid stands for its whole job, several for themselves unless
 * they are all ranks of it, or its launcher is among them.
 */

enum exit_status read_named(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                            struct reason *ret_reason);
/* As read_named, for a part of a job, which is not completed. */
enum exit_status read_named_part(const struct dll *dll, const struct job_request *request, struct job *ret_job,
                                 struct reason *ret_reason);

/* -- spawned.c --
 * Programs beside the job: spawned ones that can never join it, and other worlds that it is connected with.
 */

/* Fills thread.spawned of the threads in MPI_Comm_spawn: with processes of another world of the job's launcher that
 * have no MPI in them, have started no other program, and sleep; nothing where any process that was spawned is
 * different. `before`: an earlier sample in which they must have been the same, NULL: there is none. */
void job_find_spawned(struct job *job, const struct job *before);

/* A rank of the job among those that were found; NULL: none is. */
const struct found_rank *job_find_own_rank(const struct found_jobs *found, const struct job *job);
/* Fills job.other_world_pid where a process has an intercommunicator. Looks through all processes of the host: once, of
 * the last sample. */
void job_find_other_world(struct job *job);

/* -- standing_still.c -- The kernel's facts about the ranks that stand still in MPI.
 */

/* Looks at each live process with a thread that has been in an MPI call for a while, or that lacks tables:
 * struct process.kernel. `before`:
 * an earlier sample that was looked at in this way, to be compared with; then only those are looked at again that are
 * in the same call. NULL: this is the first. */
void job_find_standing_still(struct job *job, const struct job *before);

#endif
