/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Point-to-point operations on the hot path: begin, bind the request, complete, retire.
 *
 * A record's way: the thread's free list -> published (pending) -> retired into the recorder, where it stays readable
 * while the thread completes RECORDER_CAPACITY more -> the free list. Operations that another thread completes come
 * back to the thread that started them through `returned`.
 */
#ifndef MPILENS_RUNTIME_OPERATION_H
#define MPILENS_RUNTIME_OPERATION_H

#include "channel.h"
#include "clock.h"
#include "datatype.h"
#include "process.h"
#include "request_table.h"
#include "thread.h"

/* The first records of a new thread. False: no memory. */
bool operations_prepare(struct thread *thread);

/* A free record when the free list is empty; NULL, and counted, where there is none. */
struct mpilens_operation *operation_take_slowly(struct thread *thread) COLD;

/* Now and then: gives back what a burst has left, notes the clock. */
void operations_maintain(struct thread *thread) COLD;

/* Completed by a thread that did not start it. */
void operation_return(struct mpilens_operation *operation) COLD;

/* A send that is not one: its channel counts it no more. */
void operation_uncount(struct thread *thread, const struct mpilens_operation *operation) COLD;

/* A call failed: its operation never was. */
void operation_failed(struct thread *thread, struct mpilens_operation *operation) COLD;

/* Retires an operation that moved no message: the flight recorder does not show it. */
void operation_discard(struct thread *thread, struct mpilens_operation *operation) COLD;

/* What the thread's current call was doing will never end normally. */
void operation_abandon_current(struct thread *thread) COLD;

/* A receive that failed, or was cancelled. True: it received a message all the same. */
bool operation_received_despite(struct mpilens_operation *operation, int error, const MPI_Status *status) COLD;

/* As operation_complete, where the request has another operation beside this one: the second half of MPI_Isendrecv, or
 * what a persistent request has started (then the request stays and becomes inactive). */
void operation_complete_partners(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                                 const MPI_Status *status, int error) COLD;

/* Takes `operation` out of another thread's table. Where a third thread was faster, because the library uses one handle
 * for several requests, it takes the next one of that handle. NULL: there is none. */
struct mpilens_operation *operation_remove_elsewhere(struct thread *thread, struct mpilens_operation *operation,
                                                     uint64_t request) COLD;

/* What MPI_Irecv from MPI_PROC_NULL returns where the library has one request for all such. */
extern uint64_t mpilens__request_of_null_process __attribute__((visibility("hidden")));

/* What begins: everything but the request. `flags`: class and mode. */
struct operation_arguments {
    uint64_t site;
    uint64_t buffer;
    uint64_t count;
    uint64_t datatype;
    uint64_t communicator;
    int32_t peer;
    int32_t tag;
    uint32_t function;
    uint32_t flags;
    uint32_t state; /* MPILENS_OPERATION_PENDING or _PERSISTENT */
};

/* Publishes an operation. NULL where it cannot be tracked. */
INLINE struct mpilens_operation *operation_begin(struct thread *thread, const struct operation_arguments arguments)
{
    struct channel_cache_entry *entry = channel_find(thread, arguments.communicator, arguments.peer);
    struct mpilens_datatype *datatype = datatype_find(thread, arguments.datatype, true);
    struct mpilens_operation *operation = thread->free_operations;
    if (unlikely(!operation)) {
        operation = operation_take_slowly(thread);
        if (!operation)
            return NULL;
    }
    thread->free_operations = (struct mpilens_operation *)(uintptr_t)operation->next;
    uint64_t serial = ++thread->published.operations;
    operation->state = 0;
    operation->posted_check = serial;
    PUBLISH_BARRIER();
    operation->function = arguments.function;
    operation->posted_time = clock_ticks();
    operation->communicator = (uint64_t)(uintptr_t)entry->record;
    operation->datatype = (uint64_t)(uintptr_t)datatype;
    operation->count = arguments.count;
    operation->buffer = arguments.buffer;
    operation->peer = arguments.peer;
    operation->tag = arguments.tag;
    operation->request = 0;
    operation->site = arguments.site;
    operation->flags = arguments.flags;
    if ((arguments.flags & MPILENS_OPERATION_SEND) && arguments.state == MPILENS_OPERATION_PENDING)
        entry->channel->sent++;
    PUBLISH_BARRIER();
    operation->posted = serial;
    PUBLISH_BARRIER();
    __atomic_store_n(&operation->state, arguments.state, __ATOMIC_RELAXED);
    return operation;
}

/* Into the recorder; the record that has been there longest becomes free. */
INLINE void operation_retire(struct thread *thread, struct mpilens_operation *operation)
{
    uint64_t place = thread->published.completions++ % RECORDER_CAPACITY;
    struct mpilens_operation *oldest = thread->recorder[place];
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RETIRED, __ATOMIC_RELEASE);
    thread->recorder[place] = operation;
    oldest->next = (uint64_t)(uintptr_t)thread->free_operations;
    thread->free_operations = oldest;
    if (unlikely(place == 0))
        operations_maintain(thread);
}

/* As operation_retire, for an operation that any thread may have started. */
INLINE void operation_retire_anyones(struct thread *thread, struct mpilens_operation *operation)
{
    if (likely(operation->thread == thread->published.index))
        operation_retire(thread, operation);
    else
        operation_return(operation);
}

/* What a receive has got, and the count of its channel. False: no message (it failed or was cancelled). */
INLINE bool operation_received(struct thread *thread, struct mpilens_operation *operation, const MPI_Status *status,
                               int error)
{
    struct mpilens_communicator *record = (struct mpilens_communicator *)(uintptr_t)operation->communicator;
    bool null_process = operation->peer == MPI_PROC_NULL; /* some libraries leave the status as it was */
    int32_t source = null_process ? MPI_PROC_NULL : status->MPI_SOURCE;
    operation->actual_source = source;
    operation->actual_tag = null_process ? MPI_ANY_TAG : status->MPI_TAG;
    operation->actual_bytes = null_process ? 0 : status_bytes(status);
    if (unlikely(error != MPI_SUCCESS || (operation->flags & MPILENS_OPERATION_CANCEL_CALLED)))
        if (!operation_received_despite(operation, error, status))
            return false;
    if (unlikely(!record))
        return true;
    struct channel_cache_entry *entry = channel_find(thread, record->handle, source);
    struct mpilens_channel *channel = entry->channel;
    if (unlikely(entry->record != record))
        channel = channel_of_record(thread, record, source);
    if (likely(channel))
        channel->received++;
    return true;
}

/* A blocking receive has returned. */
INLINE void operation_received_blocking(struct thread *thread, struct mpilens_operation *operation,
                                        const MPI_Status *status, int error)
{
    if (likely(operation_received(thread, operation, status, error)))
        operation_retire(thread, operation);
    else
        operation_discard(thread, operation);
}

/* A call that starts an operation and waits for it. */
INLINE void call_begin_operation(struct thread *thread, uint32_t function, struct mpilens_operation *operation)
{
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    call_begin(thread, function);
}

/* Any other call: `communicator` is the record that it works on, or NULL. */
INLINE void call_begin_other(struct thread *thread, uint32_t function, uint64_t site,
                             const struct mpilens_communicator *communicator)
{
    thread->published.site = site;
    thread->published.entered = clock_ticks();
    thread->published.operation = 0;
    thread->published.communicator = (uint64_t)(uintptr_t)communicator;
    call_begin(thread, function);
}

/* The real call of a nonblocking operation has returned `error` and `request`. */
INLINE void operation_bind(struct thread *thread, struct mpilens_operation *operation, int error, uint64_t request)
{
    if (unlikely(error != MPI_SUCCESS)) {
        operation_failed(thread, operation);
        return;
    }
    operation->request = request;
    if (request_is_complete_by_nature(request, mpilens__request_of_null_process))
        __atomic_store_n(&operation->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
    request_table_insert(&thread->requests, request, operation);
}

/* A blocking send has returned. */
INLINE void operation_sent(struct thread *thread, struct mpilens_operation *operation, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        operation_failed(thread, operation);
    else
        operation_retire(thread, operation);
}

/* `operation`, collected through `request`, is over: its status, its channel, its record. */
INLINE void operation_complete(struct thread *thread, struct mpilens_operation *operation, uint64_t request,
                               const MPI_Status *status, int error)
{
    if (unlikely(operation->partner != 0)) {
        operation_complete_partners(thread, operation, request, status, error);
        return;
    }
    if (unlikely(!request_table_remove(&thread->requests, request, operation))) {
        operation = operation_remove_elsewhere(thread, operation, request);
        if (!operation)
            return;
    }
    if ((operation->flags & MPILENS_OPERATION_RECEIVE) &&
        unlikely(!operation_received(thread, operation, status, error)))
        operation_discard(thread, operation);
    else
        operation_retire_anyones(thread, operation);
}

#endif
