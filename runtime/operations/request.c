/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Records that requests were cancelled, freed or seen complete, and begins and ends generalized ones.
 */
#include "operations/operations.h"

#include "memory/memory.h"
#include "thread/thread.h"

enum { RELEASED_CAPACITY = 1024 }; /* operations freed while active that a thread keeps in sight */

/* The operation that was started under the request and not collected, or NULL. */
static struct mpilens_operation *started_of(struct thread *thread, uint64_t request)
{
    struct mpilens_operation *operation = request_find(thread, request);
    if (operation != NULL && operation->state == MPILENS_OPERATION_PERSISTENT)
        operation = operation_at(operation->second);
    return operation;
}

void request_cancelled(struct thread *thread, uint64_t request)
{
    if (request_is_complete_by_nature(request))
        return; /* too late; and whose it is may change at any time */
    struct mpilens_operation *operation = started_of(thread, request);
    if (operation != NULL)
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
    request_operation_forget(operation);
    operation_retire_anyones(thread, operation);
}

/* Nobody will see when these complete; the oldest of very many is taken for over. */
static void release(struct thread *thread, struct mpilens_operation *operation)
{
    if (thread->released == NULL)
        thread->released = memory_map(RELEASED_CAPACITY * sizeof *thread->released);
    if (thread->released == NULL || operation->state == MPILENS_OPERATION_COMPLETE) {
        retire_uncollected(thread, operation);
        return;
    }
    request_operation_forget(operation);
    uint32_t place = thread->released_count++ % RELEASED_CAPACITY;
    struct mpilens_operation *oldest = thread->released[place];
    thread->released[place] = operation;
    __atomic_store_n(&operation->state, MPILENS_OPERATION_RELEASED, __ATOMIC_RELEASE);
    if (oldest != NULL)
        retire_uncollected(thread, oldest);
}

/* From one state to another; false: another thread has changed it meanwhile. */
static bool change_state(struct mpilens_operation *operation, uint32_t from, uint32_t to)
{
    return __atomic_compare_exchange_n(&operation->state, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void retire_generalized(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (request_remove_anywhere(thread, request, operation))
        retire_uncollected(thread, operation);
}

void request_freed(struct thread *thread, struct mpilens_operation *operation, uint64_t request)
{
    if (operation->flags & MPILENS_OPERATION_GENERALIZED) { /* MPI_Grequest_complete still finds it by its handle */
        if (!change_state(operation, MPILENS_OPERATION_PENDING, MPILENS_OPERATION_RELEASED))
            retire_generalized(thread, operation, request);
        return;
    }
    if (!request_remove_anywhere(thread, request, operation)) {
        /* Another thread has collected it by the same handle, and has left its own. */
        operation = request_is_complete_by_nature(request) ? request_take_anywhere(thread, request) : NULL;
        if (operation == NULL)
            return;
    }
    struct mpilens_operation *second = operation_second(operation);
    if (second != NULL) {
        operation->second = 0;
        release(thread, second);
    }
    if (operation->state != MPILENS_OPERATION_PERSISTENT) {
        release(thread, operation);
        return;
    }
    partitioned_forget(operation);
    collective_forget_arrays(operation);
    operation_discard(thread, operation);
}

void request_seen_complete(struct thread *thread, uint64_t request, const MPI_Status *status)
{
    if (request_is_complete_by_nature(request))
        return; /* it has been from the beginning; and whose it is may change at any time */
    struct mpilens_operation *operation = started_of(thread, request);
    if (operation == NULL)
        return;
    struct mpilens_operation *second = operation_second(operation);
    if (operation->flags & MPILENS_OPERATION_OTHER_CLASSES)
        request_operation_over(operation);
    if ((operation->flags & MPILENS_OPERATION_RECEIVE) && operation->peer != MPI_PROC_NULL &&
        !(operation->flags & MPILENS_OPERATION_SHARES_REQUEST)) { /* then these fields are the request table's */
        operation->actual_source = status->MPI_SOURCE;
        operation->actual_tag = status->MPI_TAG;
        operation->actual_bytes = status_bytes(status);
    }
    if (second != NULL)
        __atomic_store_n(&second->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
    __atomic_store_n(&operation->state, MPILENS_OPERATION_COMPLETE, __ATOMIC_RELEASE);
}

void requests_seen_complete(struct thread *thread, int outcount, const int *indices, const MPI_Request *requests,
                            int count, const MPI_Status *statuses)
{
    for (int i = 0; i < outcount && i < count; i++) {
        int place = indices != NULL ? indices[i] : i;
        if (place >= 0 && place < count && requests[place] != MPI_REQUEST_NULL)
            request_seen_complete(thread, HANDLE_VALUE(requests[place]), &statuses[i]);
    }
}

struct mpilens_operation *generalized_start(struct thread *thread, uint32_t function, uint64_t site)
{
    const struct request_operation begun = {.site = site,
                                            .peer = -1,
                                            .function = function,
                                            .flags = MPILENS_OPERATION_GENERALIZED,
                                            .state = MPILENS_OPERATION_PENDING};
    call_begin_other(thread, function, site, NULL);
    struct mpilens_operation *operation = request_operation_begin(thread, &begun);
    thread->published.operation = (uint64_t)(uintptr_t)operation;
    return operation;
}

struct mpilens_operation *generalized_completing(struct thread *thread, uint64_t request)
{
    struct mpilens_operation *operation = request_find(thread, request);
    if (operation == NULL || !(operation->flags & MPILENS_OPERATION_GENERALIZED))
        return NULL;
    if (change_state(operation, MPILENS_OPERATION_PENDING, MPILENS_OPERATION_COMPLETE))
        return operation;
    if (__atomic_load_n(&operation->state, __ATOMIC_RELAXED) == MPILENS_OPERATION_RELEASED)
        retire_generalized(thread, operation, request);
    return NULL;
}

void generalized_not_complete(struct mpilens_operation *operation)
{
    if (operation != NULL)
        change_state(operation, MPILENS_OPERATION_COMPLETE, MPILENS_OPERATION_PENDING);
}
