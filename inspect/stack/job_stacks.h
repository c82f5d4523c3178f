/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reading the stacks of the processes of a job.
 */
#ifndef MPILENS_INSPECT_STACK_JOB_STACKS_H
#define MPILENS_INSPECT_STACK_JOB_STACKS_H

#include "model/model.h"
#include "stack/stack.h"

/* Reads the stacks of the processes that `is_wanted` says, and hands them to `take`, for as long as that runs. Living
 * processes are held still while they are unwound, many at a time. What cannot be read is left out. */
void job_read_stacks(struct job *job, bool (*is_wanted)(const struct process *process),
                     void (*take)(struct job *job, struct process *process, const struct stacks *stacks));

#endif
