/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Persistent requests: the arguments of operations, and what MPI_Start makes of them. The record of the request is in
 * state MPILENS_OPERATION_PERSISTENT; its `partner` is the operation that it started last and that is active.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_PERSISTENT_H
#define MPILENS_RUNTIME_OPERATIONS_PERSISTENT_H

#include "operations/operation.h"

/* MPI_*_init has given `request`. NULL is fine. */
void persistent_bind(struct thread *thread, struct mpilens_operation *persistent, uint64_t request);

/* MPI_Start, MPI_Startall: what the requests start. The call is in place when this returns. Before the real call ... */
void persistent_start(struct thread *thread, uint32_t function, uint64_t site, int count, const MPI_Request *requests);

/* ... after it. */
void persistent_started(struct thread *thread, int error);

/* The thread's current call, if it starts requests, will never end normally. */
void persistent_abandon(struct thread *thread);

/* What `persistent` has started is over. */
void persistent_complete(struct thread *thread, struct mpilens_operation *persistent, const MPI_Status *status,
                         int error);

/* What keeps the start of a persistent request, and the end of what it has started, from being simple. */
#define PERSISTENT_NOT_SIMPLE                                                                                          \
    (MPILENS_OPERATION_CANCEL_CALLED | MPILENS_OPERATION_PARTITIONED | MPILENS_OPERATION_OTHER_CLASSES)

/* Whether it is a message without peculiarities, and inactive. */
INLINE bool persistent_starts_simply(const struct mpilens_operation *persistent)
{
    return persistent->state == MPILENS_OPERATION_PERSISTENT && persistent->partner == 0 &&
           !(persistent->flags & PERSISTENT_NOT_SIMPLE);
}

/* Whether it has started something without peculiarities. */
INLINE bool persistent_is_simple(const struct mpilens_operation *persistent)
{
    const struct mpilens_operation *started = operation_at(persistent->partner);
    return started != NULL && !(started->flags & PERSISTENT_NOT_SIMPLE);
}

/* The fields from communicator to request, which an operation has of the persistent request that starts it. */
enum {
    PERSISTENT_ARGUMENTS = offsetof(struct mpilens_operation, communicator),
    PERSISTENT_ARGUMENTS_END = offsetof(struct mpilens_operation, site),
};
static_assert(offsetof(struct mpilens_operation, request) + sizeof(uint64_t) == PERSISTENT_ARGUMENTS_END,
              "the request is the last of them");

/* Publishes what `persistent` starts now. There is a free record. `channel`: of a send, where it counts. `detail`: as
 * actual_bytes. */
INLINE struct mpilens_operation *persistent_begin(struct thread *thread, const struct mpilens_operation *persistent,
                                                  struct mpilens_channel *channel, uint64_t detail)
{
    if (persistent->flags & MPILENS_OPERATION_SEND)
        channel->sent++;
    struct mpilens_operation *operation = operation_take(thread);
    operation_open(thread, operation);
    operation->posted_time = thread->published.entered;
    operation->function = persistent->function;
    memcpy((char *)operation + PERSISTENT_ARGUMENTS, (const char *)persistent + PERSISTENT_ARGUMENTS,
           PERSISTENT_ARGUMENTS_END - PERSISTENT_ARGUMENTS);
    operation->site = thread->published.site;
    operation->flags = (persistent->flags & ~MPILENS_OPERATION_PAIRED) | MPILENS_OPERATION_FROM_PERSISTENT;
    operation->actual_bytes = detail;
    operation->partner = 0;
    operation_publish(thread, operation, MPILENS_OPERATION_PENDING);
    return operation;
}

/* As persistent_begin, of a request of this thread that starts simply. */
INLINE struct mpilens_operation *persistent_begin_simply(struct thread *thread,
                                                         const struct mpilens_operation *persistent)
{
    return persistent_begin(thread, persistent, operation_kept_channel(persistent), persistent->actual_bytes);
}

/* `operation`, which this call has started, may still fail. */
INLINE void persistent_note_start(struct thread *thread, struct mpilens_operation *persistent,
                                  struct mpilens_operation *operation)
{
    operation->next = (uint64_t)(uintptr_t)thread->scratch.starting;
    thread->scratch.starting = operation;
    __atomic_store_n(&persistent->partner, (uint64_t)(uintptr_t)operation, __ATOMIC_RELEASE);
}

/* MPI_Start of a request of this thread, likewise. The call is in place when this returns. */
INLINE void persistent_start_own(struct thread *thread, uint32_t function, uint64_t site,
                                 struct mpilens_operation *persistent)
{
    call_begin_counting(thread, function, site, NULL);
    persistent_note_start(thread, persistent, persistent_begin_simply(thread, persistent));
}

/* As persistent_started, and the call is over. Returns `error`. */
int persistent_not_started(struct thread *thread, int error) COLD;

/* After the real call. Returns `error`. */
INLINE int persistent_started_own(struct thread *thread, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        return persistent_not_started(thread, error);
    thread->scratch.starting = NULL;
    call_end(thread);
    return MPI_SUCCESS;
}

#endif
