/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls on a window or a file: the call in place, with the object that it works on; what the two kinds have in common.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_OBJECT_CALL_H
#define MPILENS_RUNTIME_OPERATIONS_OBJECT_CALL_H

#include "objects/communicator.h"
#include "operations/operation.h"
#include "operations/request_operation.h"

/* `object`: the record of the window or file, or NULL; `communicator`: address of its communicator's record; `peer`:
 * target, or MPI_ANY_SOURCE where there is none. */
INLINE void call_begin_asking_object(struct thread *thread, uint32_t function, uint64_t site, const void *object,
                                     uint64_t communicator, int32_t peer)
{
    thread->published.object = (uint64_t)(uintptr_t)object;
    thread->published.peer = peer;
    call_begin_asking(thread, function, site, (const struct mpilens_communicator *)(uintptr_t)communicator);
}

/* Likewise; the thread polls no more. */
INLINE void call_begin_object(struct thread *thread, uint32_t function, uint64_t site, const void *object,
                              uint64_t communicator, int32_t peer)
{
    thread->published.polls = 0;
    call_begin_asking_object(thread, function, site, object, communicator, peer);
}

/* A call on a file. */
INLINE void call_begin_file(struct thread *thread, uint32_t function, uint64_t site, const struct mpilens_file *file)
{
    call_begin_object(thread, function, site, file, file != NULL ? file->communicator : 0, MPI_ANY_SOURCE);
}

/* A call on a window; `peer` is its target, or MPI_ANY_SOURCE. */
INLINE void call_begin_window(struct thread *thread, uint32_t function, uint64_t site,
                              const struct mpilens_window *window, int32_t peer)
{
    call_begin_object(thread, function, site, window, window != NULL ? window->communicator : 0, peer);
}

/* A call that starts `begun`, on the object that this names. NULL: there is no record of the operation, only the call.
 */
struct mpilens_operation *call_begin_object_operation(struct thread *thread, const struct request_operation *begun);

#endif
