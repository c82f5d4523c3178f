/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests that may stand in the table of any thread.
 */
#ifndef MPILENS_RUNTIME_THREAD_REQUEST_TABLE_ANYWHERE_H
#define MPILENS_RUNTIME_THREAD_REQUEST_TABLE_ANYWHERE_H

#include "thread/request_table.h"

/* The operation that `handle` named at `latest` (ticks), first of this thread's, then of any other's; or NULL. Of a
 * handle that names many requests at a time it is the oldest, of that thread at least where several are in MPI at a
 * time. Of any other it is the newest: what is older has completed in another thread, which has not come to say so. */
struct mpilens_operation *request_find_anywhere(struct thread *thread, uint64_t handle, uint64_t latest);

/* Removes a started operation of `handle`, which names many requests at a time, or which threads have used at the same
 * time: the oldest of this thread's, else of another's; or NULL. */
struct mpilens_operation *request_take_anywhere(struct thread *thread, uint64_t handle);

/* Removes `operation` from whichever table holds it. False: none does (another thread has collected it). */
bool request_remove_anywhere(struct thread *thread, uint64_t handle, struct mpilens_operation *operation);

/* As request_find, where the first look has not found it. */
struct mpilens_operation *request_find_slowly(struct thread *thread, uint64_t request);

/* The operation of a request, or NULL. */
INLINE struct mpilens_operation *request_find(struct thread *thread, uint64_t request)
{
    struct mpilens_operation *operation = request_table_find_own(&thread->requests, request);
    return likely(operation != NULL) ? operation : request_find_slowly(thread, request);
}

#endif
