/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Completion of arrays of requests, persistent requests, cancel and free.
 */
#include "completion.h"

#include "functions.h"
#include "memory.h"
#include "request_operation.h"

#include <string.h>

enum { RELEASED_CAPACITY = 1024 }; /* operations freed while active that a thread keeps in sight */

static struct mpilens_operation *address_of(uint64_t address)
{
    return (struct mpilens_operation *)(uintptr_t)address;
}

struct mpilens_operation *completion_find_elsewhere(struct thread *thread, uint64_t request)
{
    if (request == HANDLE_VALUE(MPI_REQUEST_NULL))
        return NULL;
    return request_find_anywhere(thread, request, UINT64_MAX);
}

void completion_end_slowly(struct thread *thread, struct mpilens_operation *operation, uint64_t value,
                           const MPI_Request *request, const MPI_Status *status, int error)
{
    if (thread->requests.shared && request_is_complete_by_nature(value)) {
        if (request && value != HANDLE_VALUE(MPI_REQUEST_NULL) && *request == MPI_REQUEST_NULL)
            operation_complete_any(thread, value, status, error);
        return;
    }
    if (!operation ||
        (operation->state == MPILENS_OPERATION_PERSISTENT ? operation->partner == 0 : *request != MPI_REQUEST_NULL))
        return;
    if (likely(!(operation->flags & COMPLETION_NOT_SIMPLE) &&
               request_table_remove_own(&thread->requests, value, operation))) {
        if (likely(!(operation->flags & MPILENS_OPERATION_RECEIVE) ||
                   operation_received(thread, operation, NULL, status, error)))
            operation_retire(thread, operation);
        else
            operation_discard(thread, operation);
        return;
    }
    operation_complete(thread, operation, value, status, error);
}

bool completion_begin_array(struct thread *thread, uint32_t function, uint64_t site, int count,
                            const MPI_Request *requests, MPI_Status **statuses)
{
    size_t wanted = count > 0 && requests ? (size_t)count : 0;
    struct scratch *scratch = &thread->scratch;
    bool room = likely(wanted * sizeof *requests <= scratch->handles_bytes) ||
                memory_reserve(&scratch->handles, &scratch->handles_bytes, wanted * sizeof *requests);
    if (room && statuses && *statuses == MPI_STATUSES_IGNORE) {
        room = likely(wanted * sizeof **statuses <= scratch->statuses_bytes) ||
               memory_reserve(&scratch->statuses, &scratch->statuses_bytes, wanted * sizeof **statuses);
        if (room && wanted > 0)
            *statuses = thread->scratch.statuses;
    }
    if (room && wanted > 0)
        memcpy(thread->scratch.handles, requests, wanted * sizeof *requests);
    thread->published.requests = (uint64_t)(uintptr_t)thread->scratch.handles;
    thread->published.request_count = room ? wanted : 0;
    call_begin_asking(thread, function, site, NULL);
    return room && wanted > 0;
}

/* What the i-th request of the call was; it had been started when the call began. */
static struct mpilens_operation *operation_of_copy(struct thread *thread, const MPI_Request *copies, int i)
{
    uint64_t value = HANDLE_VALUE(copies[i]);
    if (copies[i] == MPI_REQUEST_NULL)
        return NULL;
    return request_find_anywhere(thread, value, thread->published.entered);
}

/* The i-th request has completed, its variable is now `request`. */
static void complete_copy(struct thread *thread, int i, MPI_Request request, const MPI_Status *status, int error)
{
    const MPI_Request *copies = thread->scratch.handles;
    if (thread->requests.shared && request_is_complete_by_nature(HANDLE_VALUE(copies[i]))) {
        if (request == MPI_REQUEST_NULL && copies[i] != MPI_REQUEST_NULL)
            operation_complete_any(thread, HANDLE_VALUE(copies[i]), status, error);
        return;
    }
    struct mpilens_operation *operation = operation_of_copy(thread, copies, i);
    if (!operation)
        return;
    if (operation->state == MPILENS_OPERATION_PERSISTENT ? operation->partner != 0 : request == MPI_REQUEST_NULL)
        operation_complete(thread, operation, HANDLE_VALUE(copies[i]), status, error);
}

/* The usual case of complete_copy: started by this thread, one operation, no error. False: it is not. */
INLINE bool complete_quickly(struct thread *thread, MPI_Request copy, MPI_Request request, const MPI_Status *status)
{
    uint64_t value = HANDLE_VALUE(copy);
    struct mpilens_operation *operation = request_table_find_own(&thread->requests, value);
    if (!operation || (operation->flags & COMPLETION_NOT_SIMPLE) || request != MPI_REQUEST_NULL ||
        !request_table_remove_own(&thread->requests, value, operation))
        return false;
    if (operation->flags & MPILENS_OPERATION_RECEIVE)
        operation_received(thread, operation, NULL, status, MPI_SUCCESS);
    operation_retire(thread, operation);
    return true;
}

static int class_of(int error)
{
    int error_class = MPI_SUCCESS;
    if (unlikely(error != MPI_SUCCESS))
        mpilens__real.MPI_Error_class(error, &error_class);
    return error_class;
}

void completion_end_some(struct thread *thread, int outcount, const int *indices, const MPI_Request *requests,
                         const MPI_Status *statuses, int error)
{
    bool errors_in_statuses = class_of(error) == MPI_ERR_IN_STATUS;
    for (int i = 0; i < outcount && (uint64_t)i < thread->published.request_count;
         i++) /* outcount: after an error, anything */
        if (indices[i] >= 0 && (uint64_t)indices[i] < thread->published.request_count)
            complete_copy(thread, indices[i], requests[indices[i]], &statuses[i],
                          errors_in_statuses ? statuses[i].MPI_ERROR : error);
    thread->published.request_count = 0;
}

void completion_end_all(struct thread *thread, int count, const MPI_Request *requests, const MPI_Status *statuses,
                        int error, bool flag)
{
    bool errors_in_statuses = class_of(error) == MPI_ERR_IN_STATUS;
    const MPI_Request *copies = thread->scratch.handles;
    for (int i = 0; (flag || error != MPI_SUCCESS) && i < count; i++) {
        if (likely(error == MPI_SUCCESS) && complete_quickly(thread, copies[i], requests[i], &statuses[i]))
            continue;
        int error_of_one = errors_in_statuses ? statuses[i].MPI_ERROR : error;
        if (class_of(error_of_one) != MPI_ERR_PENDING)
            complete_copy(thread, i, requests[i], &statuses[i], error_of_one);
    }
    thread->published.request_count = 0;
}

void completion_poll(struct thread *thread, uint32_t function, const struct mpilens_operation *operation,
                     uint64_t communicator, int32_t peer, int32_t tag)
{
    struct mpilens_thread *call = &thread->published;
    bool goes_on = call->polls > 0 && call->poll_operations == call->operations &&
                   call->poll_completions == call->completions && call->poll_function == function &&
                   call->poll_site == call->site;
    call->polls = goes_on ? call->polls + 1 : 1;
    call->poll_last = call->entered;
    if (goes_on)
        return;
    call->poll_site = call->site;
    call->poll_since = call->entered;
    call->poll_operation = (uint64_t)(uintptr_t)operation;
    call->poll_communicator = communicator;
    call->poll_peer = peer;
    call->poll_tag = tag;
    call->poll_function = function;
    call->poll_operations = call->operations;
    call->poll_completions = call->completions;
}

/* A new operation with the arguments of a persistent request. */
static struct mpilens_operation *start_one(struct thread *thread, const struct mpilens_operation *persistent)
{
    if (!thread->free_operations && !operation_take_slowly(thread))
        return NULL;
    struct mpilens_operation *operation = operation_take(thread);
    uint64_t serial = ++thread->published.operations;
    operation->state = 0;
    operation->posted_check = serial;
    PUBLISH_BARRIER();
    operation->function = persistent->function;
    operation->posted_time = thread->published.entered;
    operation->communicator = persistent->communicator;
    operation->datatype = persistent->datatype;
    operation->count = persistent->count;
    operation->buffer = persistent->buffer;
    operation->peer = persistent->peer;
    operation->tag = persistent->tag;
    operation->site = thread->published.site;
    operation->flags = (persistent->flags & ~MPILENS_OPERATION_PAIRED) | MPILENS_OPERATION_FROM_PERSISTENT;
    operation->request = persistent->request;
    if (operation->flags & MPILENS_OPERATION_SEND)
        operation_channel(thread, persistent, persistent->peer)->sent++;
    PUBLISH_BARRIER();
    operation->posted = serial;
    PUBLISH_BARRIER();
    __atomic_store_n(&operation->state, MPILENS_OPERATION_PENDING, __ATOMIC_RELAXED);
    return operation;
}

void completion_start(struct thread *thread, uint32_t function, uint64_t site, int count, const MPI_Request *requests)
{
    call_begin_other(thread, function, site, NULL);
    for (int i = 0; requests && i < count; i++) {
        struct mpilens_operation *persistent = completion_find(thread, HANDLE_VALUE(requests[i]));
        if (!persistent || persistent->state != MPILENS_OPERATION_PERSISTENT || persistent->partner != 0)
            continue;
        struct mpilens_operation *operation = start_one(thread, persistent);
        __atomic_store_n(&persistent->partner, (uint64_t)(uintptr_t)operation, __ATOMIC_RELEASE);
    }
}

void completion_started(struct thread *thread, int count, const MPI_Request *requests, int error)
{
    for (int i = 0; error != MPI_SUCCESS && requests && i < count; i++) {
        struct mpilens_operation *persistent = completion_find(thread, HANDLE_VALUE(requests[i]));
        struct mpilens_operation *operation = persistent ? address_of(persistent->partner) : NULL;
        if (!operation || persistent->state != MPILENS_OPERATION_PERSISTENT ||
            operation->posted_time != thread->published.entered)
            continue;
        persistent->partner = 0;
        operation_failed(thread, operation);
    }
    call_end(thread);
}

void completion_cancel(struct thread *thread, uint64_t request)
{
    struct mpilens_operation *operation = completion_find(thread, request);
    if (operation && operation->state == MPILENS_OPERATION_PERSISTENT)
        operation = address_of(operation->partner);
    if (operation)
        operation->flags |= MPILENS_OPERATION_CANCEL_CALLED;
}

/* An operation that nobody will collect is over: its message counts, where it is known whose it is. */
static void retire_uncollected(struct thread *thread, struct mpilens_operation *operation)
{
    int32_t source = operation->state == MPILENS_OPERATION_COMPLETE ? operation->actual_source : operation->peer;
    if ((operation->flags & MPILENS_OPERATION_RECEIVE) && operation->peer != MPI_PROC_NULL && source >= 0) {
        operation->actual_source = source;
        operation_channel(thread, operation, source)->received++;
    }
    operation_retire_anyones(thread, operation);
}

/* Nobody will see when these complete; the oldest of very many is taken for over. */
static void release(struct thread *thread, struct mpilens_operation *operation)
{
    request_operation_forget(operation);
    if (!thread->released)
        thread->released = memory_map(RELEASED_CAPACITY * sizeof *thread->released);
    if (!thread->released || operation->state == MPILENS_OPERATION_COMPLETE) {
        retire_uncollected(thread, operation);
        return;
    }
    uint32_t place = thread->released_count++ % RELEASED_CAPACITY;
    struct mpilens_operation *oldest = thread->released[place];
    thread->released[place] = operation;
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RELEASED, __ATOMIC_RELEASE);
    if (oldest)
        retire_uncollected(thread, oldest);
}

void completion_free(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (!request_remove_anywhere(thread, request, operation))
        return;
    struct mpilens_operation *partner = operation_second(operation);
    if (partner) {
        operation->partner = 0;
        release(thread, partner);
    }
    if (operation->state != MPILENS_OPERATION_PERSISTENT) {
        release(thread, operation);
        return;
    }
    operation_discard(thread, operation);
}

void completion_seen(struct thread *thread, uint64_t request, const MPI_Status *status)
{
    struct mpilens_operation *operation = completion_find(thread, request);
    if (operation && operation->state == MPILENS_OPERATION_PERSISTENT)
        operation = address_of(operation->partner);
    if (!operation)
        return;
    struct mpilens_operation *partner = operation_second(operation);
    if (operation->flags & MPILENS_OPERATION_OTHER_CLASSES)
        request_operation_over(operation);
    if (operation->flags & MPILENS_OPERATION_RECEIVE && operation->peer != MPI_PROC_NULL &&
        !(operation->flags & MPILENS_OPERATION_SHARES_REQUEST)) { /* then actual_bytes is the request table's */
        operation->actual_source = status->MPI_SOURCE;
        operation->actual_tag = status->MPI_TAG;
        operation->actual_bytes = status_bytes(status);
    }
    if (partner)
        __atomic_store_n(&partner->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
}
