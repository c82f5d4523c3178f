/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the stacks of processes tell that lack the tables of a runtime.
 */
#ifndef MPILENS_INSPECT_STACK_SEEN_THREADS_H
#define MPILENS_INSPECT_STACK_SEEN_THREADS_H

#include "model/model.h"
#include "stack/stack.h"

/* Fills process->end, if its program is ending. */
void process_take_end(struct job *job, struct process *process, const struct stacks *stacks);

/* Fills process->seen_threads and its end; where the stacks could not be read, process->reason says that, too. */
void process_take_seen_threads(struct job *job, struct process *process, const struct stacks *stacks);

/* Names calls in process->call_stacks that are on no stack themselves, as seen_threads have them. */
void process_name_seen_calls(struct process *process);

/* Where one calls MPI past its runtime, others may have done so before: says so of those that have not called it. So
 * does everybody where nobody has looked at stacks. */
void job_doubt_silence(struct job *job, bool stacks_were_read);

/* Reads the stacks of the processes that lack tables for that, which are held still for a moment. */
void job_find_seen_threads(struct job *job);

/* Marks the threads of the process that were seen doing the same in `before`, an earlier sample of it. */
void process_compare_seen_threads(const struct process *before, struct process *later);

#endif
