/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronization of windows: which epochs are open, which locks this process has called for and not unlocked, and what
 * was called last. That a lock has been granted does not follow from it: MPI_Win_lock may return at once, and the epoch
 * begin later.
 *
 * These come after the real call, and only where it has succeeded, if nothing else is said; `window` is not NULL.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_WINDOW_EPOCH_H
#define MPILENS_RUNTIME_OBJECTS_WINDOW_EPOCH_H

#include "thread/thread.h"

/* MPI_Win_fence: the next epochs are open, unless `assertion` says that none follows. */
void window_fenced(struct thread *thread, struct mpilens_window *window, int assertion);

/* Before MPI_Win_start, which may wait for the group: it is on record for readers where it is known. */
void window_starting(struct mpilens_window *window, MPI_Group group);

/* MPI_Win_start has failed. */
void window_not_started(struct mpilens_window *window);

/* MPI_Win_start, MPI_Win_post: `group` is given as the caller gave it; its record is kept until the epoch ends. */
void window_started(struct thread *thread, struct mpilens_window *window, MPI_Group group);
void window_completed(struct thread *thread, struct mpilens_window *window);
void window_posted(struct thread *thread, struct mpilens_window *window, MPI_Group group);

/* MPI_Win_wait, or MPI_Win_test that says so. */
void window_exposure_ended(struct thread *thread, struct mpilens_window *window);

/* MPI_Win_lock. `type`: MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE. */
void window_locked(struct thread *thread, struct mpilens_window *window, int32_t target, int type);
void window_unlocked(struct thread *thread, struct mpilens_window *window, int32_t target);
void window_locked_all(struct thread *thread, struct mpilens_window *window);
void window_unlocked_all(struct thread *thread, struct mpilens_window *window);

/* MPI_Win_flush. Where other targets may have operations under way, operations_since goes on counting. */
void window_flushed(struct thread *thread, struct mpilens_window *window, int32_t target);

/* MPI_Win_flush_all. */
void window_flushed_all(struct thread *thread, struct mpilens_window *window);

/* MPI_Win_sync, MPI_Win_flush_local, MPI_Win_flush_local_all: no operation is known to be complete at its target. */
void window_synchronized(struct thread *thread, struct mpilens_window *window);

/* No epoch is open and nothing is locked; gives back what the record holds for them. */
void window_epochs_clear(struct mpilens_window *window);

/* The lock that an MPI_Win_lock is waiting for, as readers know it. */
static inline uint32_t window_lock_type(int type)
{
    return type == MPI_LOCK_EXCLUSIVE ? MPILENS_LOCK_EXCLUSIVE : MPILENS_LOCK_SHARED;
}

#endif
