/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads and processes that can do nothing until others do something.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_CALLS_BLOCKED_H
#define MPILENS_INSPECT_ANALYSIS_CALLS_BLOCKED_H

#include "model/model.h"

/* Whether the process has ended or will send nothing any more: it is in MPI_Finalize or beyond, or gone. */
bool process_is_gone(const struct process *process);
/* Whether it could be read, and none of its threads has been in MPI while it was looked at: its MPI library makes no
 * progress then, if it has no thread of its own for that. */
bool process_is_outside_mpi(const struct process *process);
/* Whether one of its threads may call MPI next, or that is not known. */
bool process_can_act(const struct process *process);
/* The thread that is in MPI_Finalize, MPI_Recv, ... as long as the job was watched. */
bool thread_is_blocked(const struct thread *thread);
/* Whether it is not in MPI, or only for the moment, and may call MPI next. */
bool thread_may_act(const struct thread *thread);
/* Whether it makes several polls in turn. */
bool thread_polls_in_turn(const struct thread *thread);

#endif
