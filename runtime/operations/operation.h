/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Point-to-point operations on the hot path: begin, bind the request, complete, retire.
 */
#ifndef MPILENS_RUNTIME_OPERATIONS_OPERATION_H
#define MPILENS_RUNTIME_OPERATIONS_OPERATION_H

#include "mpi/clock_stamp.h"
#include "objects/datatype.h"
#include "operations/call.h"
#include "operations/channel.h"
#include "thread/operation_record.h"
#include "thread/request_table.h"

#include <string.h>

/* As operation_insert; what became of operations that `request` has named before will not be known. */
void operation_insert_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t request);

/* The operation never was: neither its channel nor its datatype has been used. */
void operation_forget_use(struct thread *thread, const struct mpilens_operation *operation) COLD;

/* A call failed: its operation never was. */
void operation_failed(struct thread *thread, struct mpilens_operation *operation) COLD;

/* Likewise of a blocking call, also when it has received nothing. */
void operation_failed_borrowed(struct thread *thread, struct mpilens_operation *operation) COLD;

/* Retires an operation that moved no message: the flight recorder does not show it. */
void operation_discard(struct thread *thread, struct mpilens_operation *operation) COLD;

/* Whether the message of a receive was too long for it (MPI_ERR_TRUNCATE). */
bool error_is_truncation(int error) COLD;

/* A receive that failed, or was cancelled. True: it received a message all the same, from its `actual_source`. */
bool operation_received_despite(struct mpilens_operation *operation, int error, const MPI_Status *status) COLD;

/* What begins: everything but the request. */
struct operation_arguments {
    uint64_t site; /* 0: the return address of the function that all this is inlined into */
    uint64_t buffer;
    uint64_t count;      /* or ... */
    int32_t small_count; /* as the caller has it: made longer only where it is stored, for want of registers */
    bool count_is_small;
    MPI_Datatype datatype;
    MPI_Comm communicator;
    int32_t peer;
    int32_t tag;
    uint32_t function;
    uint32_t flags; /* class and mode */
    uint32_t state; /* MPILENS_OPERATION_PENDING or _PERSISTENT */
};

/* For operation_arguments: a number of elements, int or MPI_Count. */
#define ELEMENT_COUNT(elements)                                                                                        \
    .count = sizeof(elements) == sizeof(int32_t) ? 0 : (uint64_t)(elements),                                           \
    .small_count = sizeof(elements) == sizeof(int32_t) ? (int32_t)(elements) : 0,                                      \
    .count_is_small = sizeof(elements) == sizeof(int32_t)

/* `operation`, which nobody uses, gets the next serial; its fields may be written from here ... */
INLINE void operation_open(struct thread *thread, struct mpilens_operation *operation)
{
    thread->published.operations++;
    operation->state = 0;
    PUBLISH_BARRIER();
    operation->posted_check = thread->published.operations;
    PUBLISH_BARRIER();
}

/* ... to here, where readers see it. */
INLINE void operation_publish(const struct thread *thread, struct mpilens_operation *operation, uint32_t state)
{
    PUBLISH_BARRIER();
    operation->posted = thread->published.operations; /* not kept in a register: the arguments fill them all */
    PUBLISH_BARRIER();
    __atomic_store_n(&operation->state, state, __ATOMIC_RELAXED);
}

static_assert(offsetof(struct mpilens_operation, datatype) - offsetof(struct mpilens_operation, communicator) ==
                  offsetof(struct operation_records, datatype),
              "the addresses of its records stand in an operation as in the cache");

/* Both at a time. */
INLINE void operation_set_records(struct mpilens_operation *operation, const struct operation_records *records)
{
    memcpy((char *)operation + offsetof(struct mpilens_operation, communicator), records, sizeof *records);
}

/* Whether the record holds the channel of its peer in the place of its actual_bytes, as long as it is pending: the
 * thread that has started it counts there what it receives, or what a persistent request starts. */
INLINE bool operation_keeps_channel(uint32_t flags, uint32_t state)
{
    return (flags & MPILENS_OPERATION_RECEIVE) || state == MPILENS_OPERATION_PERSISTENT;
}

/* That channel. */
INLINE struct mpilens_channel *operation_kept_channel(const struct mpilens_operation *operation)
{
    return (struct mpilens_channel *)(uintptr_t)operation->actual_bytes;
}

/* Of a receive of this thread that is about to be over: NULL where its message was known before. */
INLINE struct mpilens_channel *operation_channel_if_kept(const struct mpilens_operation *operation)
{
    return likely(operation->state == MPILENS_OPERATION_PENDING) ? operation_kept_channel(operation) : NULL;
}

/* Publishes `operation` with `entry` for its arguments. */
INLINE void operation_begin_at(struct thread *thread, const struct operation_cache_entry *entry,
                               struct mpilens_operation *operation, const struct operation_arguments arguments)
{
    operation_open(thread, operation);
    clock_stamp(&operation->posted_time);
    operation->function = arguments.function;
    operation_set_records(operation, &entry->records);
    operation->count = arguments.count_is_small ? (uint64_t)arguments.small_count : arguments.count;
    operation->buffer = arguments.buffer;
    operation->peer = arguments.peer;
    operation->tag = arguments.tag;
    operation->site = arguments.site ? arguments.site : (uint64_t)(uintptr_t)__builtin_return_address(0);
    operation->flags = arguments.flags;
    if (!(arguments.flags & MPILENS_OPERATION_BLOCKING))
        operation->request = 0;
    if (operation_keeps_channel(arguments.flags, arguments.state))
        operation->actual_bytes = (uint64_t)(uintptr_t)entry->channel;
    if ((arguments.flags & MPILENS_OPERATION_SEND) && arguments.state == MPILENS_OPERATION_PENDING)
        entry->channel->sent++;
    operation_publish(thread, operation, arguments.state);
}

/* All of the above in the general case. NULL where it cannot be tracked. */
struct mpilens_operation *operation_begin_slowly(struct thread *thread, const struct operation_arguments *arguments);

INLINE struct mpilens_operation *operation_begin(struct thread *thread, const struct operation_arguments arguments)
{
    const struct operation_cache_entry *entry =
        operation_cache_place(thread, arguments.communicator, arguments.datatype, arguments.peer);
    if (unlikely(thread->free_operations == NULL ||
                 !operation_cache_hit(entry, arguments.communicator, arguments.datatype, arguments.peer))) {
        const struct operation_arguments in_memory = arguments; /* the quick way has them in registers */
        return operation_begin_slowly(thread, &in_memory);
    }
    struct mpilens_operation *operation = operation_take(thread);
    operation_begin_at(thread, entry, operation, arguments);
    return operation;
}

/* What `status` says of the message of a receive. The library has stored its parts one by one, just now: what reads two
 * of them at once waits until both are in the cache, and with it everything that is stored behind it, such as the next
 * message. */
INLINE void operation_set_actual(struct mpilens_operation *operation, const MPI_Status *status)
{
    operation->actual_source = status->MPI_SOURCE;
    __asm__("" : : : "memory");
    operation->actual_tag = status->MPI_TAG;
    __asm__("" : : : "memory");
    operation->actual_bytes = status_bytes(status);
}

/* Likewise of one from MPI_PROC_NULL: some libraries leave the status as it was. */
INLINE void operation_set_actual_nothing(struct mpilens_operation *operation)
{
    operation->actual_source = MPI_PROC_NULL;
    operation->actual_tag = MPI_ANY_TAG;
    operation->actual_bytes = 0;
}

/* What a receive has got, and the count of its channel. `channel`: the kept one, NULL: to be looked for. False: no
 * message (it failed or was cancelled). */
bool operation_received(struct thread *thread, struct mpilens_operation *operation, struct mpilens_channel *channel,
                        const MPI_Status *status, int error);

/* A message from `source` counts on the channel of that. */
void operation_count_received(struct thread *thread, const struct mpilens_operation *operation, int32_t source);

/* As operation_received, in the thread that has started it, without error and cancel. */
INLINE void operation_received_own(struct thread *thread, struct mpilens_operation *operation,
                                   struct mpilens_channel *channel, const MPI_Status *status)
{
    if (unlikely(operation->peer == MPI_PROC_NULL)) {
        operation_set_actual_nothing(operation);
        return;
    }
    operation_set_actual(operation, status);
    if (likely(channel != NULL) && likely(operation->peer == status->MPI_SOURCE))
        channel->received++;
    else
        operation_count_received(thread, operation, status->MPI_SOURCE);
}

/* The operation of the thread's current call. Not held in a register while the MPI library has the call: one register
 * less to save. */
INLINE struct mpilens_operation *operation_of_call(const struct thread *thread)
{
    struct mpilens_operation *operation = operation_at(thread->published.operation);
    if (operation == NULL)
        __builtin_unreachable();
    return operation;
}

/* Ends of calls, with what the MPI library has returned. All return `error`. */

/* Of a call that was to start an operation and has failed. */
int operation_end_failed_start(struct thread *thread, int error) COLD;

/* Of blocking ones that have failed. */
int operation_end_failed_send(struct thread *thread, int error) COLD;
int operation_end_failed_receive(struct thread *thread, const MPI_Status *status, int error) COLD;

/* Of a blocking receive from any source, which has got its message from `source`. */
int operation_end_receive_of_any(struct thread *thread, int32_t source);

INLINE int operation_end_blocking_receive(struct thread *thread, const MPI_Status *status, int error)
{
    struct mpilens_operation *operation = operation_of_call(thread);
    if (unlikely(error != MPI_SUCCESS))
        return operation_end_failed_receive(thread, status, error);
    if (unlikely(operation->peer == MPI_PROC_NULL))
        operation_set_actual_nothing(operation);
    else {
        struct mpilens_channel *channel = operation_kept_channel(operation);
        operation_set_actual(operation, status);
        if (operation->peer != status->MPI_SOURCE)
            return operation_end_receive_of_any(thread, status->MPI_SOURCE);
        channel->received++;
    }
    operation_retire_borrowed(thread, operation);
    call_end(thread);
    return MPI_SUCCESS;
}

INLINE int operation_end_blocking_send(struct thread *thread, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        return operation_end_failed_send(thread, error);
    operation_retire_borrowed(thread, operation_of_call(thread));
    call_end(thread);
    return MPI_SUCCESS;
}

/* `request` names the operation from now on, whose `request` it is. */
INLINE void operation_insert(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (!request_table_insert_own(&thread->requests, request, operation))
        operation_insert_slowly(thread, operation, request);
}

INLINE void operation_name(struct mpilens_operation *operation, uint64_t request)
{
    operation->request = request;
    if (request_is_complete_by_nature(request))
        __atomic_store_n(&operation->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
}

/* The real call of a nonblocking operation has succeeded and given `request`. */
INLINE void operation_bind(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    operation_name(operation, request);
    operation_insert(thread, operation, request);
}

/* After operation_name, for which there is no room where the thread looks first. */
int operation_end_start_slowly(struct thread *thread);

/* The end of the call that has started a nonblocking operation, whose `request` it gives. Returns `error`. */
INLINE int operation_end_start(struct thread *thread, const MPI_Request *request, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        return operation_end_failed_start(thread, error);
    struct mpilens_operation *operation = operation_of_call(thread);
    operation_name(operation, HANDLE_VALUE(*request));
    if (!request_table_insert_own(&thread->requests, HANDLE_VALUE(*request), operation))
        return operation_end_start_slowly(thread);
    call_end(thread);
    return MPI_SUCCESS;
}

#endif
