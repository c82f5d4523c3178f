/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls on a window or a file: the call in place, with the object that it works on.
 */
#ifndef MPILENS_RUNTIME_OBJECT_CALL_H
#define MPILENS_RUNTIME_OBJECT_CALL_H

#include "operation.h"
#include "request_operation.h"

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

/* A call that starts `begun`, on the object that this names. NULL: there is no record of the operation, only the call.
 */
struct mpilens_operation *call_begin_object_operation(struct thread *thread, const struct request_operation *begun);

#endif
