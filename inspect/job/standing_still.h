/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the kernel tells of the ranks that stand still in MPI.
 */
#ifndef MPILENS_INSPECT_JOB_STANDING_STILL_H
#define MPILENS_INSPECT_JOB_STANDING_STILL_H

#include "model/model.h"

/* Looks at each live process with a thread that has been in an MPI call for a while, or that lacks tables:
 * struct process.kernel. `before`:
 * an earlier sample that was looked at in this way, to be compared with; then only those are looked at again that are
 * in the same call. NULL: this is the first. */
void job_find_standing_still(struct job *job, const struct job *before);

#endif
