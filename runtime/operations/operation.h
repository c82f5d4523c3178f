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
    uint64_t count;
    MPI_Datatype datatype;
    MPI_Comm communicator;
    int32_t peer;
    int32_t tag;
    uint32_t function;
    uint32_t flags; /* class and mode */
    uint32_t state; /* MPILENS_OPERATION_PENDING or _PERSISTENT */
};

/* `operation`, which nobody uses, gets the next serial; its fields may be written from here ... */
INLINE void operation_open(struct thread *thread, struct mpilens_operation *operation)
{
    uint64_t serial = ++thread->published.operations;
    operation->state = 0;
    operation->posted_check = serial;
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

/* Publishes `operation` with `entry` for its arguments. */
INLINE void operation_begin_at(struct thread *thread, const struct operation_cache_entry *entry,
                               struct mpilens_operation *operation, const struct operation_arguments arguments)
{
    operation_open(thread, operation);
    clock_stamp(&operation->posted_time);
    operation->function = arguments.function;
    operation->communicator = entry->communicator_record;
    operation->datatype = entry->datatype_record;
    operation->count = arguments.count;
    operation->buffer = arguments.buffer;
    operation->peer = arguments.peer;
    operation->tag = arguments.tag;
    operation->site = arguments.site ? arguments.site : (uint64_t)(uintptr_t)__builtin_return_address(0);
    operation->flags = arguments.flags;
    if (!(arguments.flags & MPILENS_OPERATION_BLOCKING))
        operation->request = 0;
    if ((arguments.flags & MPILENS_OPERATION_SEND) && arguments.state == MPILENS_OPERATION_PENDING)
        entry->channel->sent++;
    operation_publish(thread, operation, arguments.state);
}

/* All of the above in the general case. NULL where it cannot be tracked. */
struct mpilens_operation *operation_begin(struct thread *thread, struct operation_arguments arguments);

/* What a receive has got, and the count of its channel; `channel` NULL: to be looked for. False: no message (it failed
 * or was cancelled). */
INLINE bool operation_received(struct thread *thread, struct mpilens_operation *operation,
                               struct mpilens_channel *channel, const MPI_Status *status, int error)
{
    int32_t source = status->MPI_SOURCE;
    if (unlikely(operation->peer == MPI_PROC_NULL)) { /* some libraries leave the status as it was */
        operation->actual_source = MPI_PROC_NULL;
        operation->actual_tag = MPI_ANY_TAG;
        operation->actual_bytes = 0;
        return true;
    }
    operation->actual_source = source;
    operation->actual_tag = status->MPI_TAG;
    operation->actual_bytes = status_bytes(status);
    if (unlikely(error != MPI_SUCCESS || (operation->flags & MPILENS_OPERATION_CANCEL_CALLED))) {
        if (!operation_received_despite(operation, error, status))
            return false;
        source = operation->actual_source;
    }
    if (unlikely(channel == NULL || operation->peer != source))
        channel = operation_channel(thread, operation, source);
    channel->received++;
    return true;
}

/* A blocking receive has returned. */
INLINE void operation_received_blocking(struct thread *thread, struct mpilens_operation *operation,
                                        struct mpilens_channel *channel, const MPI_Status *status, int error)
{
    if (likely(operation_received(thread, operation, channel, status, error)))
        operation_retire_borrowed(thread, operation);
    else
        operation_failed_borrowed(thread, operation);
}

/* A blocking send has returned. */
INLINE void operation_sent_blocking(struct thread *thread, struct mpilens_operation *operation, int error)
{
    if (unlikely(error != MPI_SUCCESS))
        operation_failed_borrowed(thread, operation);
    else
        operation_retire_borrowed(thread, operation);
}

/* `request` names the operation from now on, whose `request` it is. */
INLINE void operation_insert(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (!request_table_insert_own(&thread->requests, request, operation))
        operation_insert_slowly(thread, operation, request);
}

/* The real call of a nonblocking operation has succeeded and given `request`. */
INLINE void operation_bind(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    operation->request = request;
    if (request_is_complete_by_nature(request))
        __atomic_store_n(&operation->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
    operation_insert(thread, operation, request);
}

#endif
