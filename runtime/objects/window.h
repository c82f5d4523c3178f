/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows for one-sided communication: how they come to be known, what is begun on them, and how their records end.
 */
#ifndef MPILENS_RUNTIME_OBJECTS_WINDOW_H
#define MPILENS_RUNTIME_OBJECTS_WINDOW_H

#include "objects/communicator.h"
#include "thread/handle_cache.h"

/* What a constructor call has made. */
struct window_creation {
    uint64_t base; /* address of the local memory, 0: none */
    uint64_t bytes;
    int32_t displacement_unit;
    enum mpilens_window_flavor flavor;
};

/* After a constructor call; `handle` is what it gave. */
void window_created(const struct communicator_derivation *derivation, MPI_Win handle,
                    const struct window_creation *creation);

/* After MPI_Win_free; `record` and `handle` as they were before. NULL is fine. */
void window_freed(uint32_t function, uint64_t site, struct mpilens_window *record, uint64_t handle);

/* MPI_Win_set_name. Default names differ between libraries; they are not asked for. */
void window_named(struct mpilens_window *record, const char *name);

/* A request-based operation on the window is over. NULL is fine. */
void window_operation_over(struct mpilens_window *record);

struct mpilens_window *window_find_slowly(struct thread *thread, uint64_t handle) COLD;

/* The record that a handle names now, or NULL. */
INLINE struct mpilens_window *window_find(struct thread *thread, uint64_t handle)
{
    const struct handle_cache_entry *entry = handle_cache_place(thread->window_cache, WINDOW_CACHE_ENTRIES, handle);
    if (handle_cache_hit(entry, handle))
        return handle_cache_record(entry);
    return window_find_slowly(thread, handle);
}

/* A one-sided operation begins on `window`. NULL is fine. */
INLINE void window_count_operation(const struct thread *thread, struct mpilens_window *window)
{
    if (unlikely(window == NULL))
        return;
    if (unlikely(thread->requests.shared)) { /* others may count on it at the same time */
        __atomic_fetch_add(&window->operations, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&window->operations_since, 1, __ATOMIC_RELAXED);
        return;
    }
    window->operations++;
    window->operations_since++;
}

/* One that the thread was in has failed with `error`. If MPI has refused it, it does not count. Returns `error`. */
int window_operation_failed(const struct thread *thread, int error) COLD;

/* One that the thread was in has returned `error`, as this does. */
INLINE int window_operation_returned(const struct thread *thread, int error)
{
    return likely(error == MPI_SUCCESS) ? MPI_SUCCESS : window_operation_failed(thread, error);
}

#endif
