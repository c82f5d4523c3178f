/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which threads have stayed in their call as long as a job was watched, struct thread.stalled, and where messages have
 * piled up, struct communicator.unreceived_growth.
 */
#ifndef MPILENS_INSPECT_JOB_PROGRESS_H
#define MPILENS_INSPECT_JOB_PROGRESS_H

#include "model/model.h"

/* Of one reading. Of cores, a thread has stalled that entered its call before the first of the cores was written: at
 * that moment all of them were where they are. One that polls may do something else between two polls: it must have
 * polled and found nothing for `interval_s` by then. Of live processes nothing is known but that they are there: all
 * threads in a call are taken to have stalled, and job.samples, 1, says on what ground. */
void progress_of_one(struct job *job, double interval_s);

/* Of several: `before` is the first of the `samples`, `later` the last, read `interval_s` seconds one after the other.
 * A thread has stalled that is in the same call, entered at the same moment, or polls with the same calls, and has
 * completed and started nothing in between. */
void progress_between(const struct job *before, struct job *later, int samples, double interval_s);

/* No thread of the process, as it was in an earlier sample, has stalled in `later`: it had no processor in between. */
void progress_unknown(const struct process *before, struct job *later);

/* The same for two jobs that were put together from what hosts have sent, each host's second part after all first ones:
 * so there was a moment between both, common to all. Without struct job.samples, which the parts have said. */
void progress_between_rounds(const struct job *before, struct job *later);

#endif
