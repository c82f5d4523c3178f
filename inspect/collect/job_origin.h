/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who has started a job, when, and as what.
 */
#ifndef MPILENS_INSPECT_COLLECT_JOB_ORIGIN_H
#define MPILENS_INSPECT_COLLECT_JOB_ORIGIN_H

#include "model/model.h"

/* Notes user, command and start of the job, as /proc has them of its first process that is alive here. */
void job_note_origin(struct job *job);

#endif
