/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What epochs and locks of windows wait for.
 */
#ifndef MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_WINDOW_H
#define MPILENS_INSPECT_ANALYSIS_GRAPH_WAITS_WINDOW_H

#include "analysis/graph/waits.h"

/* Gives the node of a thread its mode and edges. False: what the thread waits for is not known, or will come. */
bool waits_for_window(struct waits *waits, uint32_t node, uint32_t process, const struct thread *thread);
/* Whether the thread is in MPI_Win_start or MPI_Win_complete, and all whose memory it accesses have exposed it to the
 * process. Adds those ranks; else nothing. */
bool window_epoch_is_met(const struct waits *waits, uint32_t process, const struct thread *thread, struct ranks *ranks);
/* Whether the call accesses memory that is known: adds the ranks that have it, but for its own. */
bool window_find_targets(const struct waits *waits, uint32_t process, const struct thread *thread, struct ranks *ranks);
/* MPI_Win_lock, MPI_Win_unlock, MPI_Win_flush and their like. */
bool is_lock_call(const struct thread *thread);
/* Whether the call accesses memory of others, for which their MPI libraries may have to act. */
bool is_access_call(const struct thread *thread);
/* The lock on a window that the call of the thread must wait for, because `other` has it; NULL: none. */
const struct window_lock *find_hindering_lock(const struct process *process, const struct thread *thread,
                                              const struct process *other);

#endif
